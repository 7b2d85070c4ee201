import type { VerifyCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { Access } from "@canvass/proto/access";
import type { Interceptor } from "@connectrpc/connect";
import { timingSafeEqual } from "node:crypto";
import { callerKey } from "./call.ts";
import { metadataNames } from "./metadata-names.ts";
import { accessOf } from "./method-access.ts";

export interface AccessOptions {
  verifyCaller: VerifyCaller;
  peerKey: string;
  /** Without it no operator method can be called. */
  operatorKey?: string | undefined;
}

/** Requires the proof that a method's `access` option asks for. */
export function accessInterceptor({ verifyCaller, peerKey, operatorKey }: AccessOptions): Interceptor {
  return (next) => (request) => {
    switch (accessOf(request.method).access) {
      case Access.ANYONE:
        break;
      case Access.PEER:
        requireKey(peerKey, request.header.get(metadataNames.peer));
        break;
      case Access.OPERATOR:
        requireKey(operatorKey, request.header.get(metadataNames.operator));
        break;
      case Access.CALLER: {
        const caller = verifyCaller(request.header.get(metadataNames.caller) ?? "");
        if (!caller) throw new AppError("unauthorized");
        request.contextValues.set(callerKey, caller);
        break;
      }
      default:
        // Health is registered outside this interceptor; all else must state its access.
        throw new AppError("unauthorized");
    }
    return next(request);
  };
}

function requireKey(expected: string | undefined, given: string | null): void {
  if (!expected || !given || !equalInConstantTime(expected, given)) throw new AppError("unauthorized");
}

function equalInConstantTime(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
