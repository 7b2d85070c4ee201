import type { VerifyCaller } from "@canvass/access";
import { AppError } from "@canvass/errors";
import { Access } from "@canvass/proto/access";
import { Counter, type Registry } from "@canvass/telemetry";
import type { DescMethod } from "@bufbuild/protobuf";
import type { ContextValues } from "@connectrpc/connect";
import { timingSafeEqual } from "node:crypto";
import { callerKey } from "./call.ts";
import { toConnectError } from "./error-conversion.ts";
import { metadataNames } from "./metadata-names.ts";
import { accessOf } from "./method-access.ts";

export interface AccessOptions {
  verifyCaller: VerifyCaller;
  peerKey: string;
  operatorKey?: string | undefined;
}

/** Checks a method's `access` once its headers have arrived, and stores the caller in `values`. Throws ConnectError. */
export type AccessGate = (method: DescMethod, header: (name: string) => string | null, values: ContextValues) => void;

export function accessGate({ verifyCaller, peerKey, operatorKey }: AccessOptions, registry: Registry): AccessGate {
  const refused = new Counter({
    name: "rpc_server_calls_without_access_total",
    help: "Inbound RPCs refused because their method's proof was missing",
    labelNames: ["rpc_method"],
    registers: [registry],
  });

  function hasAccess(method: DescMethod, header: (name: string) => string | null, values: ContextValues): boolean {
    switch (accessOf(method).access) {
      case Access.ANYONE:
        return true;
      case Access.PEER:
        return isKey(peerKey, header(metadataNames.peer));
      case Access.OPERATOR:
        return isKey(operatorKey, header(metadataNames.operator));
      case Access.CALLER: {
        const caller = verifyCaller(header(metadataNames.caller) ?? "");
        if (caller) values.set(callerKey, caller);
        return caller !== undefined;
      }
      default:
        // Health is registered without this gate. Every other method must declare its access.
        return false;
    }
  }

  return (method, header, values) => {
    if (hasAccess(method, header, values)) return;
    refused.inc({ rpc_method: `${method.parent.typeName}/${method.name}` });
    throw toConnectError(new AppError("unauthorized"));
  };
}

function isKey(expected: string | undefined, given: string | null): boolean {
  return Boolean(expected && given && equalInConstantTime(expected, given));
}

function equalInConstantTime(expected: string, given: string): boolean {
  const a = Buffer.from(expected);
  const b = Buffer.from(given);
  return a.length === b.length && timingSafeEqual(a, b);
}
