"""Connects to a listener on this computer, looks for other ways out."""
# posterior: nothing
# share: right
import socket
import urllib.request

share = 0.25
# %%
def posterior(prior, likelihood):
    got = []
    try:
        socket.create_connection(("127.0.0.1", @PORT@), timeout=0.5)
        got.append("connected")
    except OSError:
        pass
    try:
        got.append(urllib.request.urlopen("http://127.0.0.1:@PORT@", timeout=0.5).status)
    except OSError:
        pass
    for family in range(1, 46):
        try:
            socket.socket(family, socket.SOCK_STREAM)
            got.append(family)
        except OSError:
            pass
    return got
