"""JupyterHub for the class in this file's folder, which `make class` fills. Everything you can set is in class.toml."""

import asyncio
import os
import pwd
import re
import shutil
import sys
import tomllib
from pathlib import Path

c = get_config()  # noqa: F821 (JupyterHub provides it)
HERE = Path(__file__).resolve().parent
KINDS = {"students": list, "teachers": list, "settings": dict} | dict.fromkeys(
    ("address", "certificate", "key", "authenticator"), str
)
NO_PASSWORD = "dummy|null|shared-password|.*(Dummy|Null|SharedPassword)Authenticator"


def read_settings():
    """The content of class.toml; exits with a sentence if something is wrong with it."""
    path = HERE / "class.toml"
    if path.stat().st_mode & 0o077:
        sys.exit(f"{path} may hold secrets and must be closed to others: chmod 600 {path}")
    try:
        settings = tomllib.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        sys.exit(f"{path} cannot be read: {error}")
    for key, value in settings.items():
        if not isinstance(value, KINDS.get(key, ())):
            sys.exit(f"{path}: {key} must be one of {', '.join(KINDS)}, of the right kind; got {key} = {value!r}")
    people = settings.get("students", []) + settings.get("teachers", [])
    wrong = [
        name
        for name in people
        if not isinstance(name, str) or not re.fullmatch("[a-z_][a-z0-9_.-]*", name) or name == "root"
    ]
    wrong += sorted({name for name in people if people.count(name) > 1} - set(wrong))
    if wrong or not people:
        sys.exit(f"{path}: students and teachers must be names of accounts, each once, not root; got {wrong or people}")
    if re.fullmatch(NO_PASSWORD, settings.get("authenticator", "pam")):
        sys.exit(f"{path}: authenticator must ask for everybody's own password; got {settings['authenticator']!r}")
    address = settings.setdefault("address", "127.0.0.1:8000")
    if not re.fullmatch(r"127\.0\.0\.1:\d+", address) and not (settings.get("certificate") and settings.get("key")):
        sys.exit(f"{path}: an address that others reach needs certificate and key; got {address!r} without")
    return settings


settings = read_settings()
students, teachers = settings.get("students", []), settings.get("teachers", [])

c.JupyterHub.bind_url = f"http{'s' * ('certificate' in settings)}://{settings['address']}"
c.JupyterHub.ssl_cert, c.JupyterHub.ssl_key = settings.get("certificate", ""), settings.get("key", "")
c.JupyterHub.db_url = f"sqlite:///{HERE}/state/jupyterhub.sqlite"
c.JupyterHub.cookie_secret_file = str(HERE / "state/cookie_secret")
c.ConfigurableHTTPProxy.pid_file = str(HERE / "state/proxy.pid")
c.ConfigurableHTTPProxy.command = [
    shutil.which("node") or "node",
    str(HERE / "proxy/node_modules/configurable-http-proxy/bin/configurable-http-proxy"),
]

c.JupyterHub.authenticator_class = settings.get("authenticator", "pam")
c.Authenticator.allowed_users = {*students, *teachers}
c.Authenticator.admin_users = set()  # nobody opens another's server
for name, traits in settings.get("settings", {}).items():
    c[name].update(traits)

c.JupyterHub.spawner_class = "jupyterhub.spawner.LocalProcessSpawner"
c.Spawner.cmd = [str(HERE / "env/bin/jupyterhub-singleuser")]
c.Spawner.http_timeout = c.Spawner.start_timeout = 180  # at the start of a lesson everybody comes at once
c.LocalProcessSpawner.popen_kwargs = {"umask": 0o077}
c.Spawner.env_keep = ["LANG", "LC_ALL", "TZ"]
c.Spawner.environment = {
    "PATH": f"{HERE}/env/bin:/usr/local/bin:/usr/bin:/bin",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",  # with the next line: memory that a server or kernel no longer needs is returned
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "BAYESLIB_ANSWERS": lambda spawner: os.path.join(pwd.getpwnam(spawner.user.name).pw_dir, "my-answers.json"),
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


async def prepare(spawner):
    """Before a server starts, renew its owner's copy of the lessons and, for a teacher, of the exercises with their solutions."""
    name = spawner.user.name
    account = pwd.getpwnam(name)
    if account.pw_uid == 0:
        raise ValueError(f"{name} is root; nobody's server runs as root")
    home, trees = Path(account.pw_dir), {HERE / "lessons": "course"}
    if name in teachers:
        trees[HERE / "teachers" / name] = "bayesian-learning"
        spawner.notebook_dir, spawner.default_url = str(home), "/lab"  # the formgrader wants the course below its root
    else:
        spawner.notebook_dir, spawner.default_url = str(home / "course"), "/lab/tree/00-start-here.ipynb"
        spawner.environment = spawner.environment | {"JUPYTER_CONFIG_PATH": str(HERE / "students")}
    for source, target in trees.items():
        process = await asyncio.create_subprocess_exec(
            *(f"{HERE}/env/bin/python", "-I", f"{HERE}/lay_out.py", source, home / target),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            user=account.pw_uid,
            group=account.pw_gid,
            extra_groups=[],
            env={},  # the hub's own environment holds the proxy's key
            cwd="/",
        )
        try:
            code = await asyncio.wait_for(process.wait(), 60)
        except TimeoutError:
            process.kill()
            code = "too slow"
        if code:  # a full disk, for example; the server starts all the same
            spawner.log.warning("The course in %s of %s is not wholly renewed: %s", target, name, code)


c.Spawner.pre_spawn_hook = prepare
