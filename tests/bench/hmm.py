"""Section 13: hidden Markov models beside hmmlearn."""

import numpy as np

from tests.bench import alternate, reported, row, within


@row
def hidden_markov_models():
    """CPU time of the casino's hidden Markov model beside hmmlearn's compiled one, in turn, one thread."""
    from hmmlearn import _hmmc
    from hmmlearn.hmm import CategoricalHMM

    from bayeslib.hmm import casino, guess

    def peer(model, **options):
        other = CategoricalHMM(2, n_features=6, init_params="", **options)
        other.startprob_, other.transmat_, other.emissionprob_ = model.start, model.transition, model.emission
        return other

    model, ratios = casino(), []
    other, quick = peer(model), peer(model, implementation="scaling")
    for length, runs in ((300, 200), (100_000, 5)):
        _, rolls = model.sample(length, random_state=0)
        X = np.array(rolls)[:, None] - 1
        weights = model.emission[:, X[:, 0]].T.copy()
        forward, lattice, _ = _hmmc.forward_scaling(model.start, model.transition, weights)
        assert np.allclose(model.filter(rolls), lattice / lattice.sum(axis=1, keepdims=True), rtol=0, atol=1e-6)
        assert np.allclose(model.smooth(rolls), quick.predict_proba(X), rtol=0, atol=1e-6)
        assert abs(model.viterbi(rolls)[1] - other.decode(X)[0]) < 1e-6 and abs(forward - other.score(X)) < 1e-6
        pairs = {
            "filter / score": (lambda: model.filter(rolls), lambda: quick.score(X)),
            "smooth / predict_proba": (lambda: model.smooth(rolls), lambda: quick.predict_proba(X)),
            "Viterbi / decode": (lambda: model.viterbi(rolls), lambda: other.decode(X)),
        }
        bare = {
            "filter / bare C loop": (
                pairs["filter / score"][0],
                lambda: _hmmc.forward_scaling(model.start, model.transition, weights),
            )
        }
        for name, (ours, theirs) in {**pairs, **bare}.items():
            taken = alternate(ours, theirs, runs)
            judged = within if length == 300 and name in pairs else reported
            ratios.append(judged(f"HMM, T={length}, {name} of hmmlearn", *taken, *([1.5] if judged is within else [])))
    _, rolls = model.sample(300, random_state=0)
    X, begin = np.array(rolls)[:, None] - 1, guess(model, random_state=0)
    learned, theirs = begin.fit([rolls], 20, 0), peer(begin, implementation="scaling", n_iter=20, tol=-np.inf).fit(X)
    assert np.allclose(learned.emission_, theirs.emissionprob_, rtol=0, atol=1e-6)
    taken = alternate(
        lambda: begin.fit([rolls], 20, 0),
        lambda: peer(begin, implementation="scaling", n_iter=20, tol=-np.inf).fit(X),
        40,
    )
    return [*ratios, within("HMM, T=300, 20 steps of Baum–Welch / fit of hmmlearn", *taken, 4)]
