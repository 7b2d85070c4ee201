import type { Session } from "../command.ts";
import { connectOperator } from "./connect-operator.ts";
import { findTokenService } from "./find-token-service.ts";
import { refusal } from "./refusal.ts";

export type OpenSession = Session &
  AsyncDisposable & {
    /** Throws OperationalError for refusals by the token service. */
    explaining: <T>(run: () => Promise<T>) => Promise<T>;
  };

/** Connects when needed, to the given address or the running system. */
export function openSession(
  tokenService: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): OpenSession {
  const opened = new AsyncDisposableStack();
  let tokenUrl = "";
  return {
    async operator() {
      const access = await findTokenService(tokenService, env);
      ({ tokenUrl } = access);
      return opened.use(await connectOperator(access));
    },
    async explaining(run) {
      return run().catch((error: unknown) => {
        throw refusal(error, tokenUrl) ?? error;
      });
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
