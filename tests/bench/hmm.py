"""Section 13: hidden Markov models beside hmmlearn."""

import numpy as np

from tests.bench import alternate, reported, row, within


def _pair(states, seed=0):
    """A model, and makers of hmmlearn's model with the same tables; the latter by the way it sums."""
    from hmmlearn.hmm import CategoricalHMM

    from bayeslib import HiddenMarkovModel

    random = np.random.default_rng(seed + states)
    model = HiddenMarkovModel(
        random.dirichlet([1] * states), random.dirichlet([1] * states, states), random.dirichlet([1] * 6, states)
    )

    def peer(**options):
        other = CategoricalHMM(states, n_features=6, init_params="", **options)
        other.startprob_, other.transmat_, other.emissionprob_ = model.start, model.transition, model.emission
        return other

    return model, peer


@row
def hidden_markov_models():
    """CPU time of the fast twins beside hmmlearn's compiled loops as it comes (sums in logarithms), in turn, one thread.

    Its other way of sums, by scaling, is faster and fails where a belief falls below the smallest float; it is reported.
    """
    from bayeslib.models import hmm

    hmm.LESSON_SIZE, ratios = 0, []
    for states in (2, 3, 8):
        model, peer = _pair(states)
        other, scaled = peer(), peer(implementation="scaling")
        for length, runs in ((300, 60), (10_000, 12), (100_000, 4)):
            symbols = np.array(model.sample(length, random_state=0)[1])
            X = symbols[:, None]
            assert np.allclose(model.smooth(symbols), other.predict_proba(X), rtol=0, atol=1e-6)
            assert abs(model.viterbi(symbols)[1] - other.decode(X)[0]) < 1e-6

            def learn(steps=5, **options):
                return peer(n_iter=steps, tol=-np.inf, **options).fit(X)

            assert np.allclose(model.fit([symbols], 5, 0).emission_, learn().emissionprob_, rtol=0, atol=1e-6)
            model.set_params()  # forget
            name = f"HMM, K={states}, T={length:,}"
            pairs = {
                "Viterbi / decode": (lambda: model.viterbi(symbols), lambda: other.decode(X)),
                "smooth / predict_proba": (lambda: model.smooth(symbols), lambda: other.predict_proba(X)),
                "5 steps of Baum–Welch / fit": (lambda: model.fit([symbols], 5, 0), learn),
            }
            for what, (ours, theirs) in pairs.items():
                ratios.append(within(f"{name}, {what}", *alternate(ours, theirs, runs), 2))
                model.set_params()
            taken = alternate(lambda: model.smooth(symbols), lambda: scaled.predict_proba(X), runs)
            ratios.append(reported(f"{name}, smooth / predict_proba by scaling", *taken))
    return ratios


@row
def hidden_markov_lesson():
    """CPU time of the recursions that the lesson runs, on the casino's 300 rolls, beside hmmlearn; only reported."""
    from hmmlearn.hmm import CategoricalHMM

    from bayeslib.models.hmm import casino, guess

    model = casino()
    other = CategoricalHMM(2, n_features=6, init_params="")
    other.startprob_, other.transmat_, other.emissionprob_ = model.start, model.transition, model.emission
    _, rolls = model.sample(300, random_state=0)
    X, begin = np.array(rolls)[:, None] - 1, guess(model, random_state=0)

    def learn():
        theirs = CategoricalHMM(2, n_features=6, init_params="", n_iter=20, tol=-np.inf)
        theirs.startprob_, theirs.transmat_, theirs.emissionprob_ = begin.start, begin.transition, begin.emission
        return theirs.fit(X)

    assert np.allclose(begin.fit([rolls], 20, 0).emission_, learn().emissionprob_, rtol=0, atol=1e-6)
    pairs = {
        "Viterbi / decode": (lambda: model.viterbi(rolls), lambda: other.decode(X)),
        "smooth / predict_proba": (lambda: model.smooth(rolls), lambda: other.predict_proba(X)),
        "20 steps of Baum–Welch / fit": (lambda: begin.fit([rolls], 20, 0), learn),
    }
    return [reported(f"HMM lesson, T=300, {name}", *alternate(*pair, 10)) for name, pair in pairs.items()]
