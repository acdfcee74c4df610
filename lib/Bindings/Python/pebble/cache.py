"""Plans that are kept in files: whole, or not at all."""

import hashlib
import json
import os
import warnings


def default(kind):
    """The folder that plans of a `kind` are kept in unless another one is named."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.environ.get("PEBBLE_CACHE", os.path.join(home, "pebble", kind))


def make_key(*parts):
    """What tells one plan from another: all that it depends on."""
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


def read(folder, key):
    """The plan that was kept under `key`; None if there is none that is whole."""
    path = os.path.join(folder, key + ".json")
    try:
        with open(path) as file:
            stored = json.load(file)
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        stored = None
    if (
        not isinstance(stored, dict)
        or stored.get("key") != key
        or stored.get("digest") != _digest(stored.get("plan"))
    ):
        warnings.warn(f"the plan in {path} is damaged; planning anew", stacklevel=6)
        return None
    return stored["plan"]


def write(folder, key, plan):
    os.makedirs(folder, exist_ok=True)
    stored = {"key": key, "digest": _digest(plan), "plan": plan}
    path = os.path.join(folder, key + ".json")
    # Whole or not at all, whoever else writes.
    part = f"{path}.{os.getpid()}"
    with open(part, "w") as file:
        json.dump(stored, file)
    os.replace(part, path)


def _digest(plan):
    return hashlib.sha256(json.dumps(plan, sort_keys=True).encode()).hexdigest()
