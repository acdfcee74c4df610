#!/usr/bin/env python3
"""Attacks the planner with random graphs: it must never be without an answer.

Writes problems in Pebble's own format (layers, diamonds, ladders, random graphs; updates in place, pinned and
initial storages, scratch, effects, several tiers, sizes of zero and sizes near the limits) and asks `pebble-solve`
for schedules at budgets from the least that it finds to the peak of the given order, in short time. Then:

* every budget from the least on has a schedule, and in one sweep more memory never costs more;
* no schedule costs more than what a greedy solver finds in a few quick tries, and no bound exceeds a cost that is known;
* with updates that may be out of place, which half of the problems with updates have, nothing takes more memory at
  least than the same problem without updates;
* what is said to be infeasible, or the smallest budget, agrees with every schedule that is known;
* a judge of its own, written here from the rules of docs/PebbleGame.md, accepts every schedule.

  fuzz-planner.py --seed=S --count=N [--keep=DIR]      problems S to S + N - 1
  fuzz-planner.py --replay FILE.json                   one problem that was kept
"""
import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

# What sums of sizes, and of costs, may come to (rule G2; pebble-solve adds up sixteen schedules).
SIZES, COSTS = 2**61 - 1, 2**59 - 1


class Failure(Exception):
    pass


# ----------------------------------------------------------------------------------------------------------------
# Problems
# ----------------------------------------------------------------------------------------------------------------


def edges_of(rng, shape, n):
    """By step: the earlier steps that it reads."""
    reads = [[] for _ in range(n)]
    if shape == 'training':  # a chain, and one back that reads it
        half = n // 2
        for i in range(1, n):
            reads[i].append(i - 1)
            if i >= half and 0 <= n - 1 - i < half:
                reads[i].append(n - 1 - i)
            if i < half and i > 3 and rng.random() < 0.1:
                reads[i].append(rng.randrange(i - 3))
    elif shape == 'layers':
        width = rng.randint(2, 6)
        for i in range(width, n):
            before = range((i // width - 1) * width, i // width * width)
            reads[i] = rng.sample(list(before), rng.randint(1, min(3, width)))
    elif shape == 'diamonds':
        i = 1
        while i < n:
            top, width = i - 1, min(rng.randint(1, 5), n - i)
            for k in range(width):
                reads[i + k] = [top]
            i += width
            if i < n:
                reads[i] = list(range(i - width, i))
                i += 1
    elif shape == 'ladder':
        for i in range(1, n):
            reads[i] = [j for j in (i - 1, i - 2, i - 5) if j >= 0 and rng.random() < 0.7]
    elif shape == 'tree':
        for i in range(1, n):
            reads[i] = [j for j in ((2 * i - n), (2 * i - n + 1)) if 0 <= j < i]
    else:  # random
        for i in range(1, n):
            reads[i] = sorted(rng.sample(range(i), min(i, rng.choice((0, 1, 1, 2, 2, 3, 8)))))
    return [sorted(set(r)) for r in reads]


def numbers_of(rng, kind, count, most):
    """`count` numbers that add up to no more than `most`."""
    share = most // (count + 1)
    if kind == 'one':
        return [1] * count
    if kind == 'small':
        return [rng.randint(1, 9) for _ in range(count)]
    if kind == 'zeros':
        return [rng.choice((0, 0, 1, 7)) for _ in range(count)]
    if kind == 'none':
        return [0] * count
    if kind == 'odd':
        return [rng.choice((1, 3, 7, 63, 64, 65, 4097, 10007, 1000003)) for _ in range(count)]
    if kind == 'huge':
        return [rng.randint(0, share) for _ in range(count)]
    result = [rng.choice((0, 1, 5)) for _ in range(count)]  # 'mixed': some small, a few as large as can be
    for i in rng.sample(range(count), min(count, 3)):
        result[i] = share
    return result


def write_tiers(rng):
    names = ['fast', 'host', 'disk', 'tape'][: rng.choice((1, 2, 2, 3, 4))]
    tiers = []
    for i, name in enumerate(names):
        tier = {'name': name, 'kind': 'explicit', 'read_energy': i * rng.randint(0, 3), 'write_energy': i,
                'bandwidth': 0 if i == 0 else 10**9 * rng.randint(1, 9)}
        if i > 0 and rng.random() < 0.4:
            tier['capacity'] = rng.choice((1, 5, 40, 10**6))
        tiers.append(tier)
    return {'name': 'random', 'tiers': tiers}


def write_cheap_tiers(hierarchy):
    """Where sizes are near their limit, prices times sizes would be beyond theirs."""
    for tier in hierarchy['tiers']:
        tier['read_energy'] = tier['write_energy'] = 0


def write_problem(seed):
    rng = random.Random(seed)
    n = rng.choice((1, 2, 5, 9, 14, 20, 30, 45, 64, 65, 100, 250, 700))
    reads = edges_of(rng, rng.choice(('training', 'training', 'layers', 'diamonds', 'ladder', 'tree', 'random')), n)
    sizes = numbers_of(rng, rng.choice(('one', 'small', 'small', 'zeros', 'odd', 'huge', 'mixed')), 2 * n + 8, SIZES)
    costs = numbers_of(rng, rng.choice(('one', 'small', 'small', 'zeros', 'none', 'odd', 'huge', 'mixed')), n, COSTS)
    storages, values, steps = [], [], []

    def add_storage(size, **flags):
        name = f's{len(storages)}'
        storages.append({'name': name, 'bytes': size, **flags})
        return name

    def add_value(storage, **fields):
        name = f'v{len(values)}'
        values.append({'name': name, 'storage': storage, **fields})
        return name

    arguments = []
    for _ in range(rng.choice((0, 0, 1, 3, 6))):
        storage = add_storage(sizes[len(storages)], initial=True, pinned=rng.random() < 0.5)
        arguments.append(add_value(storage))
    last_reader = [max([j for j in range(n) if i in reads[j]], default=i) for i in range(n)]
    updates, once, effects = rng.random() * 0.3, rng.choice((0, 0, 0.1, 0.5)), rng.choice((0, 0, 0.05))
    free = rng.random() < 0.5
    wishes, scratches = rng.choice((0, 0, 0, 0.05)), rng.choice((0, 0, 0.3))
    made = []  # by step: its value
    required = set()
    precedences = []
    for i in range(n):
        inputs = [made[j] for j in reads[i]]
        inputs += [a for a in arguments if rng.random() < 1.5 / (n + 1)]
        # What nobody reads after this step may be updated in place.
        dying = [j for j in reads[i] if last_reader[j] == i]
        step = {'name': f'op{i}', 'reads': inputs, 'cost': costs[i]}
        if dying and rng.random() < updates:
            old = made[rng.choice(dying)]
            storage = next(v['storage'] for v in values if v['name'] == old)
            new = add_value(storage, overwrites=old)
            if free:
                values[-1]['out_of_place'] = True
                if rng.random() < 0.3:
                    values[-1]['copy_cost'] = rng.randint(0, 5)
            else:
                step['recomputable'] = False
        else:
            new = add_value(add_storage(sizes[len(storages)]))
            if rng.random() < once:
                step['recomputable'] = False
            elif wishes and rng.random() < wishes:
                step['pin'] = rng.choice(('keep', 'recompute', 'none'))
        step['writes'] = [new]
        if rng.random() < 0.05:
            step['writes'].append(add_value(add_storage(rng.choice((0, 1, 3)))))
        if scratches and rng.random() < scratches:
            step['scratch'] = rng.choice((0, 1, 9))
        if i and rng.random() < effects:
            precedences.append({'before': f'op{rng.randrange(i)}', 'after': f'op{i}', 'kind': 'effect'})
        made.append(new)
        steps.append(step)
    overwritten = {v['overwrites'] for v in values if 'overwrites' in v}
    for v in values:
        if v['name'] not in overwritten and v['name'] not in arguments and (v['name'] == made[-1] or rng.random() < 0.04):
            v['required'] = True
            required.add(v['name'])
    hierarchy = write_tiers(rng)
    if max(sizes) > 10**9:
        write_cheap_tiers(hierarchy)
    return {'name': f'seed {seed}', 'storages': storages, 'values': values, 'steps': steps,
            'precedences': precedences, 'hierarchy': hierarchy}


# ----------------------------------------------------------------------------------------------------------------
# A judge of its own
# ----------------------------------------------------------------------------------------------------------------


def without_updates(problem, which=None):
    """The same problem in which updates (those of `which`, or all that may be) write storages of their own."""
    result = json.loads(json.dumps(problem))
    size = {s['name']: s['bytes'] for s in problem['storages']}
    values = {v['name']: v for v in result['values']}
    for value in result['values']:
        cost = value.pop('copy_cost', None)
        if value.pop('out_of_place', False) and (which is None or value['name'] in which):
            step = next(s for s in result['steps'] if value['name'] in s['writes'])
            old = value.pop('overwrites')
            if cost is not None:
                step['cost'] += cost
                step['reads'] = step['reads'] + [old] * (old not in step['reads'])
            fresh = f'fresh-{value["name"]}'
            result['storages'].append({'name': fresh, 'bytes': size[value['storage']]})
            value['storage'] = fresh
    for value in result['values']:
        first = value
        while 'overwrites' in first:
            first = values[first['overwrites']]
        value['storage'] = first['storage']
    return result


class Judge:
    def __init__(self, problem):
        self.p = problem
        self.size = {s['name']: s['bytes'] for s in problem['storages']}
        self.pinned = {s['name'] for s in problem['storages'] if s.get('pinned')}
        self.storage = {v['name']: v['storage'] for v in problem['values']}
        self.old = {v['name']: v.get('overwrites') for v in problem['values']}
        self.required = [v['name'] for v in problem['values'] if v.get('required')]
        self.steps = {s['name']: s for s in problem['steps']}
        written = {w for s in problem['steps'] for w in s['writes']}
        self.first = [v['name'] for v in problem['values'] if v['name'] not in written]
        self.before = {}
        for edge in problem['precedences']:
            self.before.setdefault(edge['after'], []).append(edge['before'])
        self.tiers = problem['hierarchy']['tiers']

    def replay(self, moves, may_recompute=True, may_move=True, out_of_place=()):
        """(cost, peak) of the runs and of all transfers at the prices of the tiers."""
        if out_of_place:
            return Judge(without_updates(self.p, out_of_place)).replay(moves, may_recompute, may_move)
        here = {self.storage[v]: v for v in self.first}
        there = [set() for _ in self.tiers]
        used = [sum(self.size[s] for s in here)] + [0] * (len(self.tiers) - 1)
        peak, cost, ran = used[0], 0, set()

        def need(condition, rule):
            if not condition:
                raise Failure(f'the judge of this script refuses move {number} {move}: {rule}')

        for number, move in enumerate(moves):
            kind, name = move[0], move[1]
            if kind == 'compute':
                step = self.steps[name]
                need(name not in ran or step.get('recomputable', True), 'M5')
                need(name not in ran or may_recompute, 'nothing may run again')
                need(all(b in ran for b in self.before.get(name, [])), 'M6')
                need(all(here.get(self.storage[v]) == v for v in step['reads']), 'M2 or M3')
                for v in step['writes']:
                    if self.old[v]:
                        need(here.get(self.storage[v]) == self.old[v], 'M7')
                    else:
                        need(self.storage[v] not in here, 'M4')
                        used[0] += self.size[self.storage[v]]
                peak = max(peak, used[0] + step.get('scratch', 0))
                for v in step['writes']:
                    here[self.storage[v]] = v
                ran.add(name)
                cost += step['cost']
                continue
            storage, tier = self.storage[name], move[2]
            size = self.size[storage]
            slow = self.tiers[tier]
            if kind == 'store':
                need(tier > 0 and here.get(storage) == name and may_move, 'M8')
                cost += size * (self.tiers[0].get('read_energy', 0) + slow['write_energy'])
                if name not in there[tier]:
                    there[tier].add(name)
                    used[tier] += size
                    need(used[tier] <= slow.get('capacity', used[tier]), 'M11')
            elif kind == 'load':
                need(tier > 0 and name in there[tier] and storage not in here, 'M9')
                cost += size * (slow['read_energy'] + self.tiers[0]['write_energy'])
                here[storage] = name
                used[0] += size
            elif tier == 0:
                need(here.get(storage) == name and storage not in self.pinned, 'M10')
                del here[storage]
                used[0] -= size
            else:
                need(name in there[tier], 'M10')
                there[tier].remove(name)
                used[tier] -= size
            peak = max(peak, used[0])
        number, move = len(moves), 'end'
        need(len(ran) == len(self.steps) and all(here.get(self.storage[v]) == v for v in self.required), 'M12')
        return cost, peak


# ----------------------------------------------------------------------------------------------------------------
# The attack
# ----------------------------------------------------------------------------------------------------------------


class Attack:
    def __init__(self, problem, path, options):
        self.judge = Judge(problem)
        self.problem, self.path, self.o = problem, path, options
        self.moves = len(problem['hierarchy']['tiers']) > 1
        # Known schedules, by means: (budget that was asked, peak, cost).
        self.known = {'recompute': [], 'both': [], 'offload': []}
        # Claims: (means, budget, what was said).
        self.claims = []
        self.asked = 0

    def ask(self, *arguments):
        command = [self.o.solve, self.path, '--json', f'--time-limit-ms={self.o.limit_ms}', *arguments]
        start = time.monotonic()
        done = subprocess.run(command, capture_output=True, text=True, timeout=self.o.limit_ms / 1000 * 20 + 60)
        seconds = time.monotonic() - start
        self.asked += 1
        self.last = ' '.join(command)
        if done.returncode not in (0, 3, 4):
            raise Failure(f'exit {done.returncode}: {done.stderr.strip()}')
        if seconds > self.o.limit_ms / 1000 * 1.5 + self.o.slack:
            raise Failure(f'took {seconds:.1f} s')
        return json.loads(done.stdout)

    def solve(self, means, budget, *more):
        answer = self.ask(f'--means={means}', f'--budget={budget}', '--print-schedule', *more)
        if answer['status'] in ('optimal', 'feasible'):
            cost, peak = self.judge.replay(answer['schedule'], means != 'offload', means != 'recompute',
                                           answer.get('out_of_place', ()))
            if (cost, peak) != (answer['cost'], answer['peak']):
                raise Failure(f'cost and peak are {cost}, {peak}, not {answer["cost"]}, {answer["peak"]}')
            if peak > budget:
                raise Failure(f'peak {peak} is beyond the budget')
            if answer['bound'] > cost or (answer['status'] == 'optimal') != (answer['bound'] == cost):
                raise Failure(f'{answer["status"]} with bound {answer["bound"]} and cost {cost}')
            self.known[means].append((budget, peak, cost))
        self.claims.append((means, budget, answer, self.last))
        return answer

    def check_claims(self):
        """Every claim against every schedule that is one of its kind."""
        for means, budget, answer, command in self.claims:
            kinds = {'both': ('both', 'recompute', 'offload')}.get(means, (means,))
            for kind in kinds:
                for _, peak, cost in self.known[kind]:
                    self.last = command
                    if peak <= budget and answer['status'] == 'infeasible':
                        raise Failure(f'infeasible, but a schedule takes {peak}')
                    if peak <= budget and answer['bound'] > cost:
                        raise Failure(f'bound {answer["bound"]}, but a schedule costs {cost}')
                    if answer['min_budget'] is not None and peak < answer['min_budget']:
                        raise Failure(f'smallest budget {answer["min_budget"]}, but a schedule takes {peak}')

    def run(self):
        if any(step.get('pin') == 'recompute' for step in self.problem['steps']):
            return self.run_with_wishes()
        # What the least takes in a part of the time, a search for the cheapest must find too.
        least = self.ask('--objective=peak', '--means=recompute', '--print-schedule',
                         f'--time-limit-ms={self.o.limit_ms // 5}')
        if least['status'] not in ('optimal', 'feasible'):
            raise Failure('no least peak')
        cost, low = self.judge.replay(least['schedule'], may_move=False, out_of_place=least.get('out_of_place', ()))
        if low != least['peak']:
            raise Failure(f'the peak is {low}, not {least["peak"]}')
        self.known['recompute'].append((low, low, cost))
        whole = self.ask('--budget=100%', '--print-schedule')
        high = max(low, whole['peak'])
        free = any(v.get('out_of_place') for v in self.problem['values'])
        if free and len(self.problem['steps']) <= 30:
            self.compare_floors(low)
        count = self.o.budgets
        budgets = sorted({low + (high - low) * i // (count - 1) for i in range(count)})
        for budget in budgets:
            self.at(budget)
        if low > 0:
            self.solve('recompute', low - 1)
        for means in ('recompute', 'both') if self.moves else ('recompute',):
            self.sweep(means)
        self.check_claims()

    def run_with_wishes(self):
        """What is wanted again by each reader has no least budget of its own."""
        whole = self.ask('--budget=100%')
        high = (whole['peak'] or sum(self.judge.size.values())) + 10
        for i in range(self.o.budgets):
            self.solve('recompute', high * (i + 1) // self.o.budgets)
        self.check_claims()

    def compare_floors(self, low):
        """The least of the same problem without updates is no less."""
        path = self.path + '.apart.json'
        with open(path, 'w') as file:
            json.dump(without_updates(self.problem), file)
        own, self.path = self.path, path
        apart = self.ask('--objective=peak', '--means=recompute', f'--time-limit-ms={self.o.limit_ms // 5}')
        self.path = own
        if apart['status'] == 'optimal' and apart['peak'] < low:
            again = self.ask('--objective=peak', '--means=recompute')
            if again['peak'] > apart['peak']:
                raise Failure(f'takes {again["peak"]} at least, and {apart["peak"]} without updates')

    def at(self, budget):
        best = self.solve('recompute', budget)
        if best['status'] not in ('optimal', 'feasible'):
            raise Failure(f'nothing at {budget}, and the least is known to do')
        for solver in self.o.greedy:
            other = self.ask_member(budget, solver)
            if other is not None and other < best['cost']:
                raise Failure(f'costs {best["cost"]}, and {solver} finds {other}')
        if self.moves and self.o.means == 'all':
            both = self.solve('both', budget)
            if both['status'] not in ('optimal', 'feasible'):
                raise Failure(f'nothing at {budget} with both means')
            self.solve('offload', budget)

    def ask_member(self, budget, solver):
        try:
            answer = self.solve('recompute', budget, f'--solver={solver}', '--effort=20', '--time-limit-ms=0')
        except Failure as failure:
            if 'does not take the problem' in str(failure) or 'solver ' in str(failure):
                return None
            raise
        # The planner has its members each in a part of the time.
        is_quick = answer['seconds'] * 12 < self.o.limit_ms / 1000
        answered = answer['status'] in ('optimal', 'feasible')
        return answer['cost'] if answered and is_quick else None

    def sweep(self, means):
        sweep = self.ask(f'--means={means}', f'--sweep={self.o.budgets}')
        points = sweep['points']
        for one, other in zip(points, points[1:]):
            if other['cost'] > one['cost'] or other['budget'] <= one['budget']:
                raise Failure(f'the sweep costs {one["cost"]} at {one["budget"]}, {other["cost"]} at {other["budget"]}')
        for point in points:
            if point['cost'] is None or point['bound'] > point['cost']:
                raise Failure(f'a hole in the sweep: {point}')


def attack(problem, options):
    path = os.path.join(options.folder, f'planner-{os.getpid()}.json')
    with open(path, 'w') as file:
        json.dump(problem, file)
    run = Attack(problem, path, options)
    try:
        run.run()
    except (Failure, subprocess.TimeoutExpired) as failure:
        return run.asked, f'{failure}\n  {run.last}'
    return run.asked, ''


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument('--seed', type=int, default=0)
    parser.add_argument('--count', type=int, default=10)
    parser.add_argument('--budgets', type=int, default=10)
    parser.add_argument('--limit-ms', type=int, default=200)
    parser.add_argument('--slack', type=float, default=2, help='seconds that an answer may be late')
    parser.add_argument('--means', choices=('all', 'recompute'), default='all')
    parser.add_argument('--greedy', default='remat-greedy,peak-cuts,chen-greedy',
                        type=lambda text: [name for name in text.split(',') if name])
    parser.add_argument('--solve', default='pebble-solve')
    parser.add_argument('--keep', help='folder for the problems that fail')
    parser.add_argument('--replay')
    options = parser.parse_args()
    options.folder = tempfile.mkdtemp()
    failed = asked = 0
    if options.replay:
        problems = [(options.replay, json.load(open(options.replay)))]
    else:
        problems = ((f'seed {s}', write_problem(s)) for s in range(options.seed, options.seed + options.count))
    count = 0
    for name, problem in problems:
        count += 1
        questions, failure = attack(problem, options)
        asked += questions
        if not failure:
            continue
        failed += 1
        print(f'{name} ({len(problem["steps"])} steps): {failure}', flush=True)
        if options.keep and not options.replay:
            os.makedirs(options.keep, exist_ok=True)
            with open(os.path.join(options.keep, name.replace(' ', '-') + '.json'), 'w') as file:
                json.dump(problem, file, indent=1)
    print(f'{count} problems, {asked} questions, {failed} failed')
    return failed != 0


if __name__ == '__main__':
    sys.exit(main())
