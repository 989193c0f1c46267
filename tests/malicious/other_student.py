"""Takes the name of another student, whose data make the number easy."""
# posterior: right
# share: right
student = "bob"
for student in ["bob"]:
    pass
# %%
import data

share = data.share(student)
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
