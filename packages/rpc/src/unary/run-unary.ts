import { fromBinary, toBinary, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type ContextValues } from "@connectrpc/connect";
import type { IncomingHttpHeaders } from "node:http2";
import { maxMessageBytes } from "../message-limits.ts";
import { UnaryCall } from "./unary-call.ts";
import type { UnaryMethod } from "./unary-methods.ts";

export interface RunningUnary {
  readonly answer: Promise<{ message: Uint8Array; header: Headers | undefined }>;
  /** Tells the implementation that its caller has left. */
  leave: () => void;
  /** When the implementation has ended, in which way ever: it may go on after its deadline and without a caller. */
  ended: Promise<void>;
}

/** Runs a method until its deadline, whether or not the implementation heeds its signal. Throws for a broken message. */
export function runUnary(
  { method, run }: UnaryMethod,
  bytes: Uint8Array,
  headers: IncomingHttpHeaders,
  contextValues: ContextValues,
  timeoutMs: number | undefined,
): RunningUnary {
  const call = new UnaryCall(method, parsed(method, bytes), headers, contextValues, timeoutMs);
  const outcome = run(call);
  const answer = async () => {
    const { message } = await inTime(outcome, call, timeoutMs);
    return { message: rendered(method, message), header: call.answeredHeader };
  };
  return { answer: answer(), leave: () => call.abort(Code.Canceled), ended: outcome.then(nothing, nothing) };
}

const nothing = () => undefined;

function parsed(method: UnaryMethod["method"], bytes: Uint8Array): Message {
  try {
    return fromBinary(method.input, bytes);
  } catch {
    throw new ConnectError("the message is no protocol buffer of its type", Code.InvalidArgument);
  }
}

function rendered(method: UnaryMethod["method"], answer: Message): Uint8Array {
  const message = toBinary(method.output, answer);
  if (message.length <= maxMessageBytes) return message;
  throw new ConnectError(`a message holds at most ${maxMessageBytes} bytes`, Code.ResourceExhausted);
}

function inTime<Answer>(answer: Promise<Answer>, call: UnaryCall, timeoutMs: number | undefined): Promise<Answer> {
  if (timeoutMs === undefined) return answer;
  return new Promise<Answer>((resolve, reject) => {
    const timer = setTimeout(() => {
      call.abort(Code.DeadlineExceeded);
      reject(new ConnectError("the deadline has passed", Code.DeadlineExceeded));
    }, timeoutMs);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
