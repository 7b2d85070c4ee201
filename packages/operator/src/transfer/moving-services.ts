import { urlViolation } from "@canvass/command-line";
import { SERVICE_FLAGS, type ServiceName } from "../token-service/find-service.ts";

/** In the order of an import: tokens, members and plan first, services that send anything last. */
export const MOVING_SERVICES = ["token", "survey", "distribution", "response", "webhook", "delivery"] as const;

const others = ["survey", "distribution", "response", "webhook", "delivery"] as const;

const optionOf = (service: ServiceName) =>
  ({
    placeholder: "url",
    help: `a ${service} service elsewhere, beside ${SERVICE_FLAGS.token}`,
    violation: urlViolation,
  }) as const;

/** Options that name services elsewhere. */
export const serviceOptions = Object.fromEntries(
  others.map((service) => [`${service}Service`, optionOf(service)]),
) as Record<`${(typeof others)[number]}Service`, ReturnType<typeof optionOf>>;
