import { callerPublicKey } from "@canvass/access";
import { tlsRule } from "@canvass/rpc/tls-files";
import { ConfigError, defineSettings, type ConfigRule, type Settings } from "@canvass/telemetry";
import { Type, type Static, type TObject, type TProperties } from "typebox";
import { consumerEnvironment, shellEnvironment, type ShellConfig } from "./environment.ts";

type Environment<Name extends string, Own extends TProperties> = typeof shellEnvironment &
  ReturnType<typeof consumerEnvironment<Name>> &
  Own;

export function serviceSettings<Name extends string, Own extends TProperties>(
  name: Name,
  own: Own,
  rules: readonly ConfigRule<Static<TObject<Environment<Name, Own>>>>[] = [],
): Settings<Static<TObject<Environment<Name, Own>>>> {
  const environment: Environment<Name, Own> = { ...shellEnvironment, ...consumerEnvironment(name), ...own };
  return defineSettings(Type.Object(environment), [tlsRule, callerKeyRule, ...rules] as typeof rules);
}

const callerKeyRule: ConfigRule<ShellConfig> = {
  variables: ["CANVASS_CALLER_PUBLIC_KEY"],
  validate({ CANVASS_CALLER_PUBLIC_KEY: key }) {
    try {
      callerPublicKey(key);
    } catch (cause) {
      throw new ConfigError("CANVASS_CALLER_PUBLIC_KEY is no Ed25519 key in SPKI DER, base64", { cause });
    }
  },
};
