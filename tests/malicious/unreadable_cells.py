"""Cells that the compiler itself chokes on: a null byte, brackets without end, a lone surrogate, half a string."""
# posterior: right
# share: right
share = 0.25
# %%
x = "@NULL@"
# %%
@BRACKETS@
# %%
"@SURROGATE@"
# %%
'''
# %%
def posterior(prior, likelihood):
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
