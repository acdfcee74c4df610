"""What the writers of steps for several ranks have in common: their command lines."""


def add_options(parser, kinds, **sizes):
    """The kind of step, its sizes, and where data are written or compared."""
    parser.add_argument("kind", choices=kinds)
    for name, default in sizes.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    parser.add_argument("--data")
    parser.add_argument("--compare")


def run(options, write, write_data, compare):
    """Writes the step, or what it computes on, or compares what ranks computed."""
    if options.data:
        write_data(options)
    elif options.compare:
        compare(options)
    else:
        write(options)
