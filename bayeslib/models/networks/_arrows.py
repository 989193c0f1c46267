"""Argument checks for graphs. A graph is a mapping of every variable to its parents."""

from bayeslib.models._checks import among, is_mapping, names, sequence, short


def checked(parents, name="parents"):
    """The graph as a dict of tuples, after checking that every parent is one of its variables and is named once."""
    if not is_mapping(parents) or not len(parents.keys()):
        raise ValueError(f"{name} must be a mapping of at least one variable to its parents, got {short(parents)}")
    graph = {}
    for v in parents.keys():
        given = [parents[v]] if isinstance(parents[v], str) else parents[v]  # a string is one parent
        graph[v] = tuple(known(p, parents, f"{name}[{v!r}]") for p in sequence(given, f"{name}[{v!r}]", "variables"))
        if len(set(graph[v])) < len(graph[v]):
            raise ValueError(f"{name}[{v!r}] must name each parent once, got {list(graph[v])}")
    return graph


def known(variable, parents, name):
    """`variable`, after checking that it is one of the graph's."""
    if not among(variable, parents.keys()):
        raise ValueError(f"{name} must name variables of the network, {names(parents.keys())}, got {short(variable)}")
    return variable


def several(variables, name, parents):
    """Variables of a graph as a list: a list or a set of them, or one by itself, as a string always is."""
    if isinstance(variables, str) or among(variables, parents.keys()):
        variables = [variables]
    plain = isinstance(variables, (set, frozenset, dict))
    return [known(v, parents, name) for v in (variables if plain else sequence(variables, name, "variables"))]


def distinct(variables, name):
    """New variables as a list, after checking that none is repeated; a string is its letters."""
    listed = list(variables) if isinstance(variables, (str, dict)) else sequence(variables, name, "variables")
    try:
        repeated = len(set(listed)) < len(listed)
    except TypeError:  # not hashable
        repeated = True
    if repeated:
        raise ValueError(f"{name} must name each variable once, got {short(listed)}")
    return listed
