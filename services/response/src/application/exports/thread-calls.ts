import { fromSentError, toSentError, type SentError } from "@canvass/fairness/threads";

type Calls = Record<string, (argument: never) => Promise<unknown>>;
interface Line {
  postMessage(this: void, message: unknown): void;
  on(event: "message", listener: (message: Message) => void): unknown;
}
type Message =
  | { call: string; number: number; argument: unknown }
  | { answer: number; result?: unknown; error?: SentError };

/** Returns an object whose methods call those that `answerCalls` serves at the other end of the line. */
export function callsTo<Host extends { [Name in keyof Host]: (argument: never) => Promise<unknown> }>(
  line: Line,
): Host {
  const waiting = new Map<number, { resolve: (result: unknown) => void; reject: (error: Error) => void }>();
  let calls = 0;
  line.on("message", (message: Message) => {
    if (!("answer" in message)) return;
    const caller = waiting.get(message.answer);
    waiting.delete(message.answer);
    if (message.error) caller?.reject(fromSentError(message.error));
    else caller?.resolve(message.result);
  });
  const call = (name: string) => (argument: unknown) =>
    new Promise<unknown>((resolve, reject) => {
      calls += 1;
      waiting.set(calls, { resolve, reject });
      post(line, { call: name, number: calls, argument });
    });
  return new Proxy<Host>({} as Host, { get: (_host, name) => call(String(name)) });
}

/** Serves calls of `callsTo`. `onError` gets what a call throws, which the caller gets only as a copy. */
export function answerCalls(line: Line, calls: Calls, onError: (error: unknown) => void): void {
  line.on("message", (message: Message) => {
    if (!("call" in message)) return;
    const { call, number, argument } = message;
    const answer = async () => post(line, { answer: number, result: await calls[call]!(argument as never) });
    answer().catch((error: unknown) => {
      onError(error);
      post(line, { answer: number, error: toSentError(error) });
    });
  });
}

function post(line: Line, message: Message): void {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port of Node has no origin
  line.postMessage(message);
}
