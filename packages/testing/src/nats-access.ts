export interface NatsAccess {
  servers: string[];
  user: string;
  pass: string;
}

/** `urls`: comma-separated, with user and password. */
export function natsAccess(urls: string): NatsAccess {
  const addresses = urls.split(",").map((url) => new URL(url));
  const { username, password } = addresses[0]!;
  return {
    servers: addresses.map(({ host }) => host),
    user: decodeURIComponent(username),
    pass: decodeURIComponent(password),
  };
}
