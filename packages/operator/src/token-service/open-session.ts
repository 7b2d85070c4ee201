import { findHttpApi } from "../http-api/find-http-api.ts";
import type { Session } from "../define-command.ts";
import { connectOperator, connectResults, connectSecrets, connectTransfer } from "./connect-operator.ts";
import { findService, type ServiceName } from "./find-service.ts";
import { refusal } from "./refusal.ts";

export type OpenSession = Session &
  AsyncDisposable & {
    /** Turns refusals into OperationalErrors that name the service connected last. */
    explaining: <T>(run: () => Promise<T>) => Promise<T>;
  };

export function openSession(
  given: Readonly<Partial<Record<ServiceName, string | undefined>>>,
  env: Readonly<Record<string, string | undefined>>,
  progress: Session["progress"],
): OpenSession {
  const opened = new AsyncDisposableStack();
  let called: { service: ServiceName; url: string } = { service: "token", url: "" };
  async function find(service: ServiceName) {
    const access = await findService(service, given[service], env);
    called = { service, url: access.url };
    return access;
  }
  return {
    async connectOperator() {
      const { url: tokenUrl, ...access } = await find("token");
      return opened.use(await connectOperator({ tokenUrl, ...access }));
    },
    connectResults: async () => opened.use(await connectResults(await find("response"))),
    connectSecrets: async () => opened.use(await connectSecrets(await find("webhook"))),
    connectTransfers: async (service) => opened.use(await connectTransfer(service, await find(service))),
    findHttpApi: (place) => findHttpApi(place, env),
    progress,
    env,
    async explaining(run) {
      return run().catch((error: unknown) => {
        throw refusal(error, called) ?? error;
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
