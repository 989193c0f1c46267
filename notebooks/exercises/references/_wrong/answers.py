"""Wrong answers to six functions, written from the handouts alone by somebody who had not seen the references.

`wrong[task](…, slip="…")` is a right answer with one slip. `NAMED` says what the judge calls each slip: a mistake of the
reference by its tag or the beginning of its sentence, a slip of form, "" where it knows no name, and "right" where the slip
changes nothing. Every line was read by a person; a change of it has to be read again.
"""

from collections import Counter
from math import exp, inf, log, pi, sqrt
from statistics import mean, median

import numpy as np


def belief(errors, marks, n, noise, factor, slip=""):
    if slip == "n ignored":
        n = len(errors)
    if slip == "errors and marks swapped":
        errors, marks = marks, errors
    if slip == "noise and 1 - noise swapped":
        noise = 1 - noise
    if slip == "products without logs":
        scores = [factor**q * noise**k * (1 - noise) ** (n - k) for k, q in zip(errors, marks)]
        if sum(scores) == 0:
            raise ValueError("no rule")
        return [score / sum(scores) for score in scores]
    scores = []
    for k, q in zip(errors, marks):
        if noise == 0:
            if slip == "noise 0 not handled":
                log(0)
            score = 0.0 if k == 0 else -inf
        elif slip == "right labels forgotten":
            score = k * log(noise)
        elif slip == "wrong labels forgotten":
            score = (n - k) * log(1 - noise)
        elif slip == "1 - noise to the n":
            score = k * log(noise) + n * log(1 - noise)
        elif slip == "labels averaged":
            score = (k * log(noise) + (n - k) * log(1 - noise)) / max(n, 1)
        elif slip == "contradicted means out":
            score = 0.0 if k == 0 else -inf
        else:
            score = k * log(noise) + (n - k) * log(1 - noise)
        if slip == "taste times":
            score += log(factor * q) if q else 0
        elif slip == "taste divided":
            score -= q * log(factor)
        elif slip == "taste once":
            score += log(factor) if q else 0
        elif slip != "uniform prior":
            score += q * log(factor)
        scores.append(score)
    if max(scores) == -inf:
        if slip == "all out gives zeros":
            return [0.0 for _ in scores]
        if slip == "all out gives equal":
            return [1 / len(scores) for _ in scores]
        raise ValueError("every rule is contradicted")
    top = max(scores)
    weights = [exp(score - top) for score in scores]
    if slip == "largest is 1":
        return weights
    if slip == "log posteriors":
        return [score - top - log(sum(weights)) for score in scores]
    if slip == "only the best":
        return [float(score == top) for score in scores]
    if slip == "prior normalised alone":
        prior = [factor**q for q in marks]
        return [p / sum(prior) for p in prior]
    if slip == "sorted":
        weights.sort(reverse=True)
    if slip == "two decimals":
        return [round(weight / sum(weights), 2) for weight in weights]
    return [weight / sum(weights) for weight in weights]


def noise_fit(data, slip=""):
    n = len(data)
    if len(set(data)) == 1 and slip != "equal data not handled":
        if slip == "equal data gives inf":
            return {"gaussian": inf, "laplace": inf}
        if slip == "equal data gives None":
            return None
        raise ValueError("all equal")
    mu, centre = mean(data), median(data)
    if slip == "mean as centre of both":
        centre = mu
    if slip == "median as centre of both":
        mu = centre
    if slip == "centres swapped":
        mu, centre = centre, mu
    if slip == "middle without sorting":
        centre = data[n // 2]
    variance = sum((x - mu) ** 2 for x in data) / n
    if slip == "n - 1":
        variance = sum((x - mu) ** 2 for x in data) / max(n - 1, 1)
    width = sum(abs(x - centre) for x in data) / n
    if slip == "laplace with the standard deviation":
        width = sqrt(variance)
    if slip == "median of the distances":
        width = median([abs(x - centre) for x in data]) or width
    if slip == "sum of the distances":
        width *= n
    if slip == "sigma for variance":
        variance = sqrt(variance)
    gaussian = -n / 2 * log(2 * pi * variance) - sum((x - mu) ** 2 for x in data) / (2 * variance)
    laplace = -n * log(2 * width) - sum(abs(x - centre) for x in data) / width
    if slip == "constant of the gaussian left out":
        gaussian += n / 2 * log(2 * pi)
    if slip == "2 of the laplace left out":
        laplace += n * log(2)
    if slip == "both constants left out":
        gaussian, laplace = gaussian + n / 2 * log(2 * pi), laplace + n * log(2)
    if slip == "one half of the exponent left out":
        gaussian -= n / 2
    if slip == "negative log-likelihood":
        gaussian, laplace = -gaussian, -laplace
    if slip == "mean log-likelihood":
        gaussian, laplace = gaussian / n, laplace / n
    if slip == "log10":
        gaussian, laplace = gaussian / log(10), laplace / log(10)
    if slip == "log2":
        gaussian, laplace = gaussian / log(2), laplace / log(2)
    if slip == "likelihood":
        gaussian, laplace = exp(gaussian), exp(laplace)
    if slip == "pair":
        return gaussian, laplace
    if slip == "swapped names":
        gaussian, laplace = laplace, gaussian
    if slip == "capital letters":
        return {"Gaussian": gaussian, "Laplace": laplace}
    if slip == "the better one":
        return max(gaussian, laplace)
    if slip == "three decimals":
        gaussian, laplace = round(gaussian, 3), round(laplace, 3)
    return {"gaussian": gaussian, "laplace": laplace}


def three_errors(weights, says, slip=""):
    total = 1 if slip == "not normalised" else sum(weights)
    behind = {}
    for weight, label in zip(weights, says):
        if slip == "last weight of a label":
            behind[label] = weight / total
        else:
            behind[label] = behind.get(label, 0) + weight / total
    vote = max(behind, key=behind.get)
    best = says[max(range(len(weights)), key=lambda place: weights[place])]
    if slip == "last of equal maxima":
        best = says[max(range(len(weights)), key=lambda place: (weights[place], place))]
    if slip == "MAP is the vote":
        best = vote
    if slip == "vote is MAP":
        vote = best
    if slip == "each hypothesis one vote":
        vote = Counter(says).most_common(1)[0][0]
    gibbs = 1 - sum(share**2 for share in behind.values())
    if slip == "Gibbs right":
        gibbs = 1 - gibbs
    if slip == "Gibbs over hypotheses":
        gibbs = 1 - sum((weight / total) ** 2 for weight in weights)
    if slip == "Gibbs twice the vote":
        gibbs = 2 * (1 - behind[vote])
    if slip == "Gibbs with two labels":
        gibbs = 2 * behind[vote] * (1 - behind[vote])
    if slip == "Gibbs as the vote":
        gibbs = 1 - behind[vote]
    if slip == "Gibbs uniform label":
        gibbs = 1 - 1 / len(behind)
    if slip == "Gibbs uniform hypothesis":
        gibbs = 1 - sum(behind[label] for label in says) / len(says)
    wrong = {"vote": 1 - behind[vote], "Gibbs": gibbs, "MAP": 1 - behind[best]}
    if slip == "MAP by its own weight":
        wrong["MAP"] = 1 - max(weights) / total
    if slip == "probabilities of being right":
        wrong = {name: 1 - value for name, value in wrong.items()}
    if slip == "list":
        return list(wrong.values())
    if slip == "small letters":
        return {name.lower(): value for name, value in wrong.items()}
    if slip == "two decimals":
        return {name: round(value, 2) for name, value in wrong.items()}
    return wrong


def smoothed(pairs, values, m, slip=""):
    if slip == "values from the pairs":
        values = sorted({value for _, value in pairs})
    if any(value not in values for _, value in pairs) and slip != "unknown value let through":
        raise ValueError("unknown value")
    add = 0 if slip == "nothing added to the prior" else 1
    counts = Counter(value for _, value in pairs)
    classes = Counter(label for label, _ in pairs)
    p = {value: (counts[value] + add) / (len(pairs) + add * len(values)) for value in values}
    if slip == "uniform prior":
        p = {value: 1 / len(values) for value in values}
    if slip == "one added to the total":
        p = {value: (counts[value] + 1) / (len(pairs) + 1) for value in values}
    if slip == "total without what was added":
        p = {value: (counts[value] + 1) / len(pairs) for value in values}
    result = {}
    for label, n in classes.items():
        own = Counter(value for each, value in pairs if each == label)
        if slip == "prior of the class alone":
            p = {value: (own[value] + 1) / (n + len(values)) for value in values}
        if slip == "plain shares":
            result[label] = {value: own[value] / n for value in values}
        elif slip == "m times the number of values":
            result[label] = {value: (own[value] + m * p[value]) / (n + m * len(values)) for value in values}
        elif slip == "m without p":
            result[label] = {value: (own[value] + m) / (n + m * len(values)) for value in values}
        elif slip == "p without m":
            result[label] = {value: (own[value] + p[value]) / (n + m) for value in values}
        elif slip == "divided by all pairs":
            result[label] = {value: (own[value] + m * p[value]) / (len(pairs) + m) for value in values}
        elif slip == "denominator without m":
            result[label] = {value: (own[value] + m * p[value]) / n for value in values}
        elif slip == "Laplace":
            result[label] = {value: (own[value] + 1) / (n + len(values)) for value in values}
        elif slip == "only values seen in the class":
            result[label] = {value: (own[value] + m * p[value]) / (n + m) for value in values if own[value]}
        elif slip == "count of all classes":
            result[label] = {value: (counts[value] + m * p[value]) / (n + m) for value in values}
        else:
            result[label] = {value: (own[value] + m * p[value]) / (n + m) for value in values}
    if slip == "value first":
        return {value: {label: result[label][value] for label in result} for value in values}
    if slip == "flat keys":
        return {(label, value): share for label, row in result.items() for value, share in row.items()}
    if slip == "three decimals":
        return {label: {value: round(share, 3) for value, share in row.items()} for label, row in result.items()}
    if slip == "lists for dicts":
        return {label: list(row.values()) for label, row in result.items()}
    return result


def _ancestors(parents, name, seen=()):
    return {name}.union(*(_ancestors(parents, each, (*seen, name)) for each in parents[name] if each not in seen))


def _cyclic(parents):
    return any(child in _ancestors(parents, each) for child in parents for each in parents[child])


def _colliders(parents, linked=False):
    found = set()
    for child, above in parents.items():
        for one in above:
            for other in above:
                if one < other and (linked or (one not in parents[other] and other not in parents[one])):
                    found.add((one, child, other))
    return found


def reversible(parents, slip=""):
    result = {}
    current = {child: list(above) for child, above in parents.items()}
    for child in parents:
        for parent in parents[child]:
            turned = {name: list(above) for name, above in current.items()}
            turned[child].remove(parent)
            turned[parent].append(child)
            fine = not _cyclic(turned) and _colliders(turned) == _colliders(parents)
            if slip == "cycles only":
                fine = not _cyclic(turned)
            if slip == "colliders only":
                fine = _colliders(turned) == _colliders(parents)
            if slip == "linked parents count":
                fine = not _cyclic(turned) and _colliders(turned, True) == _colliders(parents, True)
            if slip == "number of colliders":
                fine = not _cyclic(turned) and len(_colliders(turned)) == len(_colliders(parents))
            if slip == "old colliders kept":
                fine = not _cyclic(turned) and _colliders(parents) <= _colliders(turned)
            if slip == "no new colliders":
                fine = not _cyclic(turned) and _colliders(turned) <= _colliders(parents)
            if slip == "one parent":
                fine = len(parents[child]) == 1
            if slip == "parent is a root":
                fine = not parents[parent]
            if slip == "same parents":
                fine = set(parents[child]) - {parent} == set(parents[parent])
            if slip == "not into a collider":
                fine = not any(child == middle for _, middle, _ in _colliders(parents))
            if slip == "all true":
                fine = True
            if slip == "opposite":
                fine = not fine
            if slip == "turned arrows stay" and fine:
                current = turned
            key = (
                (child, parent)
                if slip == "child first"
                else f"{parent}->{child}"
                if slip == "text keys"
                else (parent, child)
            )
            result[key] = fine
    if slip == "only the reversible":
        return {key: True for key, fine in result.items() if fine}
    if slip == "list of the reversible":
        return [key for key, fine in result.items() if fine]
    if slip == "compelled by equivalence class":
        import itertools

        arrows = [(p, c) for c in parents for p in parents[c]]
        ok = {arrow: False for arrow in arrows}
        for flips in itertools.product([0, 1], repeat=len(arrows)):
            graph = {name: [] for name in parents}
            for (p, c), flip in zip(arrows, flips):
                graph[p if flip else c].append(c if flip else p)
            if not _cyclic(graph) and _colliders(graph) == _colliders(parents):
                for arrow, flip in zip(arrows, flips):
                    ok[arrow] |= bool(flip)
        return ok
    return result


def vote_shares(X, y, query, k, slip=""):
    X, query = np.array(X, float), np.array(query, float)
    low, high = X.min(axis=0), X.max(axis=0)
    if slip == "query in the range":
        low, high = np.minimum(low, query), np.maximum(high, query)
    scale = high - low
    if slip == "standard deviation":
        scale = X.std(axis=0)
    if slip == "divided by the largest":
        scale = np.abs(X).max(axis=0)
    if slip == "constant column not left out":
        with np.errstate(all="ignore"):
            return _shares(np.sqrt((((X - query) / scale) ** 2).sum(axis=1)), y, k, slip)
    if slip == "range 0 counts as 1":
        scale = np.where(scale == 0, 1, scale)
    if slip == "unscaled":
        scale = np.ones_like(scale)
    if slip == "unscaled without constant columns":
        scale = (scale > 0).astype(float)
    keep = scale > 0
    difference = (X[:, keep] - query[keep]) / scale[keep]
    if slip == "multiplied by the range":
        difference = (X[:, keep] - query[keep]) * scale[keep]
    if slip == "query unscaled":
        difference = (X[:, keep] - low[keep]) / scale[keep] - query[keep]
    far = np.sqrt((difference**2).sum(axis=1))
    if slip == "Manhattan":
        far = np.abs(difference).sum(axis=1)
    if slip == "largest difference":
        far = np.abs(difference).max(axis=1) if keep.any() else far
    if slip == "no absolute value":
        far = difference.sum(axis=1)
    return _shares(far, y, k, slip)


def _shares(far, y, k, slip):
    order = np.argsort(far, kind="stable")
    if slip == "farthest":
        order = order[::-1]
    if slip == "k too large is an error":
        limit = far[order[k - 1]]
    else:
        limit = far[order[min(k, len(y)) - 1]]
    voters = [label for label, each in zip(y, far) if each <= limit + 1e-9]
    if slip == "farthest":
        voters = [label for label, each in zip(y, far) if each >= limit - 1e-9]
    if slip == "exactly k":
        voters = [y[at] for at in order[:k]]
    if slip == "one more":
        voters = [y[at] for at in order[: k + 1]]
    if slip == "k distances":
        distinct = sorted(set(np.round(far, 9)))
        voters = [label for label, each in zip(y, far) if each <= distinct[min(k, len(distinct)) - 1] + 1e-9]
    if slip == "nearer only":
        voters = [label for label, each in zip(y, far) if each < limit - 1e-9] or voters
    if slip == "all rows":
        voters = list(y)
    weights = dict.fromkeys(y, 0.0)
    if slip == "weighted by distance":
        for label, each in zip(y, far):
            if each <= limit + 1e-9:
                weights[label] += 1 / (each + 1e-9)
        total = sum(weights.values())
        return {label: weight / total for label, weight in weights.items()}
    if slip == "counts":
        return {label: voters.count(label) for label in weights}
    if slip == "divided by k":
        return {label: voters.count(label) / k for label in weights}
    if slip == "divided by all rows":
        return {label: voters.count(label) / len(y) for label in weights}
    if slip == "only classes with votes":
        return {label: count / len(voters) for label, count in Counter(voters).items()}
    if slip == "the winner":
        return Counter(voters).most_common(1)[0][0]
    if slip == "list of shares":
        return [voters.count(label) / len(voters) for label in weights]
    if slip == "two decimals":
        return {label: round(voters.count(label) / len(voters), 2) for label in weights}
    return {label: voters.count(label) / len(voters) for label in weights}


NAMED = {
    ("02-concept-learning", "belief"): {
        "n ignored": "right",
        "errors and marks swapped": "`errors` holds the contradicted labels and `mark",
        "noise and 1 - noise swapped": "noise-swapped",
        "products without logs": "no-logs",
        "noise 0 not handled": "The logarithm of 0 does not exist, so noise 0 ha",
        "right labels forgotten": "An agreeing label has the probability 1 − ε, not",
        "wrong labels forgotten": "A contradicted label has the probability ε; with",
        "1 - noise to the n": "An agreeing label has the probability 1 − ε, not",
        "labels averaged": "The logarithms of all labels are added up, not a",
        "contradicted means out": "noise-deaf",
        "taste times": "Each ? multiplies the prior by `factor`: two of ",
        "taste divided": "Each ? multiplies the prior by `factor`; here it",
        "taste once": "Each ? multiplies the prior by `factor`: two of ",
        "uniform prior": "base-rate",
        "all out gives zeros": "empty-zero",
        "all out gives equal": "ValueError",
        "largest is 1": "sum",
        "log posteriors": "logarithm",
        "only the best": "Every rule keeps its share of the belief; here t",
        "prior normalised alone": "prior-only",
        "sorted": "order",
        "two decimals": "rounded",
    },
    ("03-maximum-likelihood", "noise_fit"): {
        "equal data not handled": "right",
        "equal data gives inf": "ValueError",
        "equal data gives None": "ValueError",
        "mean as centre of both": "ls-natural",
        "median as centre of both": "median-for-mean",
        "centres swapped": "The mean and the median are exchanged: the mean ",
        "middle without sorting": "The median is the middle of the measurements in ",
        "n - 1": "n-minus-one",
        "laplace with the standard deviation": "The best s is the mean of the absolute distances",
        "median of the distances": "The best s is the mean of the absolute distances",
        "sum of the distances": "The best s is the mean of the absolute distances",
        "sigma for variance": "The square σ² stands under the root and in the e",
        "constant of the gaussian left out": "The 2π of the Gaussian density is missing.",
        "2 of the laplace left out": "The 2 of the Laplace density, 1/(2s), is missing",
        "both constants left out": "The constants of the densities, 2π and 2, belong",
        "one half of the exponent left out": "The Gaussian exponent is divided by 2σ², not by ",
        "negative log-likelihood": "sign-flip",
        "mean log-likelihood": "The log-likelihood is the sum over all measureme",
        "log10": "base 10",
        "log2": "Natural logarithms are asked for; log₂ gives bit",
        "likelihood": "exponential",
        "pair": "container",
        "swapped names": "The two results stand under each other's names.",
        "capital letters": "names",
        "the better one": "kind",
        "three decimals": "rounded",
    },
    ("04-bayes-optimal", "three_errors"): {
        "not normalised": "The weights need not sum to 1: divide them by th",
        "last weight of a label": "Weights of hypotheses that say the same are adde",
        "last of equal maxima": "If several hypotheses are heaviest, MAP takes th",
        "MAP is the vote": "MAP follows one hypothesis, not the label with t",
        "vote is MAP": "map-answer",
        "each hypothesis one vote": "The vote counts weights, not heads.",
        "Gibbs right": "other-answer: Σ p² is the accuracy of Gibbs, one",
        "Gibbs over hypotheses": "Two hypotheses may give the same label: Gibbs er",
        "Gibbs twice the vote": "bound-for-value",
        "Gibbs with two labels": "2p(1 − p) is the error of Gibbs for two labels o",
        "Gibbs as the vote": "vote-error",
        "Gibbs uniform label": "Gibbs draws a hypothesis with its weight, not ea",
        "Gibbs uniform hypothesis": "Gibbs draws a hypothesis with its weight, not ea",
        "MAP by its own weight": "minority-map",
        "probabilities of being right": "other-answer: These are the probabilities of bei",
        "list": "container",
        "small letters": "names",
        "two decimals": "rounded",
    },
    ("06-estimating-probabilities", "smoothed"): {
        "values from the pairs": "",
        "unknown value let through": "ValueError",
        "nothing added to the prior": "unseen-zero: One is added to each count before p",
        "uniform prior": "uniform-free: Here p comes from the pairs.",
        "one added to the total": "One is added for every value, so the total grows",
        "total without what was added": "One is added for every value, so the total grows",
        "prior of the class alone": "p is the share among all pairs, whatever their c",
        "plain shares": "These are plain shares: the m virtual examples a",
        "m times the number of values": "There are m virtual examples in all, and the den",
        "m without p": "m-per-value",
        "p without m": "m · p virtual examples have the value, not p.",
        "divided by all pairs": "share-of-all",
        "denominator without m": "add-above-only",
        "Laplace": "This adds one to every count of the class; asked",
        "only values seen in the class": "seen-values: A declared value that a class has n",
        "count of all classes": "The count of a value in the class is asked for, ",
        "value first": "turned",
        "flat keys": "container",
        "three decimals": "rounded",
        "lists for dicts": "container",
    },
    ("09-learning-networks", "reversible"): {
        "cycles only": "same-links",
        "colliders only": "circle",
        "linked parents count": "every-collider",
        "number of colliders": "It isn't enough that there are as many colliders",
        "old colliders kept": "A collider counts if it is new as well as if it ",
        "no new colliders": "A collider counts if it is lost as well as if it",
        "one parent": "It isn't enough that the child has no other pare",
        "parent is a root": "A parent without parents of its own isn't enough",
        "same parents": "right",
        "not into a collider": "An arrow into no collider may still make one whe",
        "all true": "Not every arrow can be reversed: compare the col",
        "opposite": "opposite",
        "turned arrows stay": "Each arrow is tried on the graph as it was: an a",
        "child first": "names",
        "text keys": "names",
        "only the reversible": "missing",
        "list of the reversible": "kind",
        "compelled by equivalence class": "An equivalent graph may have this arrow reversed",
    },
    ("14-nearest-neighbours", "vote_shares"): {
        "query in the range": "The ranges are those of the rows of `X`; the que",
        "standard deviation": "Divide by the range, which is the largest value ",
        "divided by the largest": "The range is the largest value minus the smalles",
        "constant column not left out": "An attribute that does not vary in `X` is to be ",
        "range 0 counts as 1": "right",
        "unscaled": "distance-given",
        "unscaled without constant columns": "distance-given",
        "multiplied by the range": "Each attribute is divided by its range, not mult",
        "query unscaled": "The query is to be scaled as the rows are.",
        "Manhattan": "The Euclidean distance is asked for: square the ",
        "largest difference": "The Euclidean distance adds up all attributes; t",
        "no absolute value": "Differences are squared before they are added up",
        "farthest": "farthest",
        "k too large is an error": "",
        "exactly k": "",
        "one more": "The k nearest rows vote, and here one more does.",
        "k distances": "The k nearest rows vote; these are the rows at t",
        "nearer only": "The k-th neighbour votes too, and so does every ",
        "all rows": "whole-crowd",
        "weighted by distance": "Every voter has one vote, however near it is.",
        "counts": "sum",
        "divided by k": "The shares sum to 1: divide by the number of row",
        "divided by all rows": "sum",
        "only classes with votes": "A class of `y` without votes belongs in the dict",
        "the winner": "kind",
        "list of shares": "kind",
        "two decimals": "rounded",
    },
}
