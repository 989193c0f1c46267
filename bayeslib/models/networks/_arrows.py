"""Argument checks for graphs. A graph is a mapping of every variable to its parents."""

from bayeslib.models._checks import among, is_mapping, names, sequence, short


def checked(parents, name="parents"):
    """The graph as a dict of tuples, after checking that every parent is one of its variables and is named once."""
    if not is_mapping(parents):
        raise ValueError(f"{name} must be a mapping of every variable to its parents, got {short(parents)}")
    graph = {}
    for variable in parents.keys():
        graph[variable] = own_parents = tuple(sequence(parents[variable], f"{name}[{variable!r}]", "variables"))
        for parent in own_parents:
            if not among(parent, parents.keys()):
                choices = f"variables of the network, {names(parents.keys())}"
                raise ValueError(f"{name}[{variable!r}] must name {choices}, got {short(parent)}")
        if len(set(own_parents)) < len(own_parents):
            raise ValueError(f"{name}[{variable!r}] must name each parent once, got {list(own_parents)}")
    return graph


def known(variable, parents, name):
    """`variable`, after checking that it is one of the graph's."""
    if not among(variable, parents.keys()):
        raise ValueError(f"{name} must name variables of parents, {names(parents.keys())}, got {short(variable)}")
    return variable


def several(variables, name, parents=None):
    """Variables as a list; a set will do, and so will a string of one-letter names. Without `parents`, none may be repeated."""
    plain = isinstance(variables, (str, set, frozenset, dict))
    listed = list(variables) if plain else sequence(variables, name, "variables")
    if parents is not None:
        return [known(v, parents, name) for v in listed]
    try:
        distinct = len(set(listed)) == len(listed) and all(v == v for v in listed)
    except TypeError:  # not hashable, or not comparable
        distinct = False
    if not distinct:
        raise ValueError(f"{name} must name each variable once, got {short(listed)}")
    return listed
