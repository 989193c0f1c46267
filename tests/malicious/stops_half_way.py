"""A statement fails in the middle of a cell; what stands below still counts, and so do the names above."""
# posterior: right
# share: right
share = 0.25
undefined_name
import matplotlib.pyplot as plt
plt.plot([1, 2])
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
sys.exit("done")
