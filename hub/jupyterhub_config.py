"""JupyterHub for the class in this file's folder, which `make class` fills. Everything you can set is in class.toml."""

import shutil
import tomllib
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub provides it)
HERE = Path(__file__).resolve().parent
settings = tomllib.loads((HERE / "class.toml").read_text(encoding="utf-8"))
students, teachers = settings.pop("students"), settings.pop("teachers")

c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.JupyterHub.db_url = f"sqlite:///{HERE}/state/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(HERE / "state/cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(HERE / "state/proxy.pid")
c.ConfigurableHTTPProxy.command = [
    shutil.which("node") or "node",
    str(HERE / "proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"),
]

c.JupyterHub.authenticator_class = "pam"
c.Authenticator.allowed_users = {*students, *teachers}
c.Authenticator.admin_users = set()  # nobody opens another's server

# With its owner's rights: a file with a new version is replaced, and what was there is kept beside it as name.~1~.
START = f"""
renew() {{ mkdir -p "$2" && cp -R --update --backup=numbered "$1/." "$2"; }}
cd && mkdir -p course/exercises/release && renew {HERE}/lessons course
[ ! -d {HERE}/teachers/$USER ] || renew {HERE}/teachers/$USER bayesian-learning
export BAYESLIB_ANSWERS=~/my-answers.json
exec {HERE}/env/bin/jupyterhub-singleuser "$@"
"""
c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = ["sh", "-c", START, "sh"]
c.Spawner.notebook_dir, c.Spawner.default_url = "~/course", "/lab/tree/00-start-here.ipynb"
c.Spawner.http_timeout = c.Spawner.start_timeout = 180  # at the start of a lesson everybody comes at once
c.LocalProcessSpawner.popen_kwargs = {"umask": 0o077}
c.Spawner.env_keep = ["LANG", "LC_ALL", "TZ"]
c.Spawner.environment = {
    "PATH": f"{HERE}/env/bin:/usr/local/bin:/usr/bin:/bin",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # with the next line: memory that a server or kernel no longer needs is returned
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "JUPYTER_CONFIG_PATH": str(HERE / "students"),
}
# A kernel takes most of a student's memory, so a forgotten page loses it; saved work stays.
c.Spawner.args = [
    "--MappingKernelManager.cull_idle_timeout=3600",
    "--MappingKernelManager.cull_interval=300",
    "--MappingKernelManager.cull_connected=True",
]
c.JupyterHub.services = [
    {
        "name": "culler",
        "command": [f"{HERE}/env/bin/python", "-m", "jupyterhub_idle_culler", "--timeout=5400", "--cull-every=300"],
    }
]
c.JupyterHub.load_roles = [
    {
        "name": "culler",
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
        "services": ["culler"],
    }
]


def of_a_teacher(spawner):
    """A teacher's server begins in the home, where the formgrader finds the course, and has all of nbgrader."""
    if spawner.user.name in teachers:
        spawner.notebook_dir, spawner.default_url = "~", "/lab"
        spawner.environment = spawner.environment | {"JUPYTER_CONFIG_PATH": ""}


c.Spawner.pre_spawn_hook = of_a_teacher
for name, traits in settings.items():
    c[name].update(traits)
