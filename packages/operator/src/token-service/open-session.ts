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

type Called = { service: ServiceName; url: string };

export function openSession(
  given: Readonly<Partial<Record<ServiceName, string | undefined>>>,
  env: Readonly<Record<string, string | undefined>>,
  progress: Session["progress"],
): OpenSession {
  const opened = new AsyncDisposableStack();
  let called: Called = { service: "token", url: "" };
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
    async connectTransfers(service) {
      const access = await find(service);
      const client = opened.use(await connectTransfer(service, access));
      const from = { service, url: access.url };
      return { ...client, exportWorkspace: (...call) => explained(() => client.exportWorkspace(...call), from) };
    },
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

/** Calls at the first `next`. Several services export at once, so each refusal names its own. */
async function* explained<T>(call: () => AsyncIterable<T>, called: Called): AsyncGenerator<T> {
  try {
    yield* call();
  } catch (error) {
    throw refusal(error, called) ?? error;
  }
}
