"""Lines and cells that only IPython understands: none is carried out, the rest runs."""
# posterior: right
# share: right
%matplotlib inline
%load_ext autoreload
!touch /tmp/left-behind
files = !ls
?print
posterior?
share = 0.25
# %%
%%bash
touch /tmp/left-behind
# %%
%%writefile left-behind
share = 0.75
# %%
%%time
def posterior(prior, likelihood):
    if True:
        %time sum(prior)
        !touch left-behind
    joint = [p * q for p, q in zip(prior, likelihood)]
    return [each / sum(joint) for each in joint]
# %%
get_ipython().system("touch /tmp/left-behind")
