import type { ClientHttp2Session } from "node:http2";

const quietMs = 10_000;
const answerMs = 5_000;

/** Breaks a session off that was silent for so long while calls wait, and then answers no ping. Costs an idle one nothing. */
export function keepAlive(session: ClientHttp2Session, waits: () => boolean) {
  let heardAt = performance.now();
  let timer: NodeJS.Timeout | undefined;

  function look(): void {
    timer = undefined;
    if (!waits()) return;
    if (performance.now() - heardAt >= quietMs) ping();
    else again();
  }

  function again(): void {
    timer ??= setTimeout(look, quietMs).unref();
  }

  function ping(): void {
    timer = setTimeout(() => session.destroy(), answerMs).unref();
    session.ping((error) => {
      clearTimeout(timer);
      timer = undefined;
      if (error) return;
      heardAt = performance.now();
      again();
    });
  }

  return {
    asked: again,
    heard(): void {
      heardAt = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
