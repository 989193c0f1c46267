"""What the functions of graphs ask of their arguments: a graph is a mapping of every variable to its parents."""

from bayeslib.models._checks import among, is_mapping, names, sequence, short


def checked(parents, name="parents"):
    """A graph as a dict of tuples, once it is known to map every variable to some of the others."""
    if not is_mapping(parents):
        raise ValueError(f"{name} must be a mapping of every variable to its parents, got {short(parents)}")
    found = {}
    for variable in parents.keys():
        found[variable] = theirs = tuple(sequence(parents[variable], f"{name}[{variable!r}]", "variables"))
        for parent in theirs:
            if not among(parent, parents.keys()):
                wanted = f"variables of the network, {names(parents.keys())}"
                raise ValueError(f"{name}[{variable!r}] must name {wanted}, got {short(parent)}")
        if len(set(theirs)) < len(theirs):
            raise ValueError(f"{name}[{variable!r}] must name each parent once, got {list(theirs)}")
    return found


def known(variable, parents, name):
    """The variable itself, once it is known to be one of the graph's."""
    if not among(variable, parents.keys()):
        raise ValueError(f"{name} must name variables of parents, {names(parents.keys())}, got {short(variable)}")
    return variable


def several(variables, name, parents=None):
    """Variables as a list, each of them once; a set will do, and so will a word whose letters they are."""
    plain = isinstance(variables, (str, set, frozenset, dict))
    found = list(variables) if plain else sequence(variables, name, "variables")
    if parents is not None:
        return [known(v, parents, name) for v in found]
    try:
        fine = len(set(found)) == len(found) and all(v == v for v in found)
    except TypeError:  # what cannot be a key, or compares to nothing
        fine = False
    if not fine:
        raise ValueError(f"{name} must name each variable once, got {short(found)}")
    return found
