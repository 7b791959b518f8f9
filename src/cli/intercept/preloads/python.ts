import { NEXT_PYTHON_PRELOAD } from '../../exec/preload.js'
import { PORT_VARIABLE, type PreloadRules, refusalOf } from './rules.js'

/**
 * Python's preload. It changes where the names of hosts lead, and adds the certificate to what every client trusts.
 * @param certificate the path of the certificate
 */
export function pythonPreload({ authorities, passing }: PreloadRules, certificate: string): string {
  return `import fnmatch
import os
import socket
import ssl

PORT = os.environ.get("${PORT_VARIABLE}")
AUTHORITIES = set(${JSON.stringify(authorities)})
PASSING = ${JSON.stringify(passing.map((text) => text.toLowerCase()))}
CERTIFICATE = ${JSON.stringify(certificate)}


def is_foreign(host, port):
    if port != 443 or any(fnmatch.fnmatchcase(host, pattern) for pattern in PASSING):
        return False
    for family in (socket.AF_INET, socket.AF_INET6):
        try:
            socket.inet_pton(family, host)
            return False
        except OSError:
            pass
    return True


def count_refusal(authority):
    try:
        with socket.create_connection(("127.0.0.1", int(PORT)), 5) as connection:
            connection.sendall(f"CONNECT {authority} HTTP/1.1\\r\\nHost: {authority}\\r\\n\\r\\n".encode())
            connection.recv(1)
    except OSError:
        pass


def intercepting(resolve):
    def getaddrinfo(host, port, *args, **kwargs):
        name = host.decode("ascii", "replace") if isinstance(host, (bytes, bytearray)) else host
        number = 443 if port in (443, "443", "https", b"443", b"https") else port
        if isinstance(name, str) and name:
            name = name.lower().rstrip(".")
            if f"{name}:{number}" in AUTHORITIES:
                return resolve("127.0.0.1", int(PORT), *args, **kwargs)
            if is_foreign(name, number):
                count_refusal(f"{name}:{number}")
                raise socket.gaierror(socket.EAI_FAIL, ${JSON.stringify(refusalOf('HOST'))}.replace("HOST", name))
        return resolve(host, port, *args, **kwargs)

    return getaddrinfo


def trusting(load):
    def load_and_trust(self, *args, **kwargs):
        load(self, *args, **kwargs)
        load_verify_locations(self, CERTIFICATE)

    return load_and_trust


if PORT:
    socket.getaddrinfo = intercepting(socket.getaddrinfo)
    load_verify_locations = ssl.SSLContext.load_verify_locations
    ssl.SSLContext.load_verify_locations = trusting(load_verify_locations)
    ssl.SSLContext.load_default_certs = trusting(ssl.SSLContext.load_default_certs)
${NEXT_PYTHON_PRELOAD}`
}
