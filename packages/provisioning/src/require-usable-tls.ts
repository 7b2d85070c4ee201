import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, createServer, type TLSSocket } from "node:tls";
import type { ProcessTls } from "@canvass/rpc/tls-files";

import { OperationalError, reasonOf } from "./operational-error.ts";
import { readTls, findTlsFiles, TLS_HOST, type Environment, type TlsFiles } from "./tls-files.ts";

/** Returns the TLS files that `env` names, or undefined. Throws OperationalError if processes cannot connect with them. */
export async function requireUsableTls(env: Environment): Promise<TlsFiles | undefined> {
  const files = findTlsFiles(env);
  if (files === undefined) return undefined;
  const refusal = await shakeHands(readTls(files) ?? {}).catch(reasonOf);
  if (refusal === undefined) return files;
  throw new OperationalError(
    `The processes cannot speak TLS with these files (${refusal}): the certificate must belong to the key, be signed ` +
      `by the authority, name ${TLS_HOST}, and be made for servers and for clients.`,
  );
}

/** Connects two sides with the same files, as two processes do. Returns the error of either side. */
async function shakeHands(tls: ProcessTls): Promise<string | undefined> {
  // A side that rejects the other would not report the reason.
  const server = createServer({ ...tls, requestCert: true, rejectUnauthorized: false });
  const failed = once(server, "tlsClientError").then(([error]) => Promise.reject(error as Error));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ ...tls, port, host: "127.0.0.1", servername: TLS_HOST, rejectUnauthorized: false });
  try {
    const met = Promise.all([once(server, "secureConnection"), once(client, "secureConnect")]);
    const [[accepted]] = (await Promise.race([met, failed])) as [[TLSSocket], unknown];
    return objection(client) ?? objection(accepted);
  } finally {
    client.destroy();
    server.close();
  }
}

function objection({ authorized, authorizationError: error }: TLSSocket): string | undefined {
  return authorized ? undefined : reasonOf(error);
}
