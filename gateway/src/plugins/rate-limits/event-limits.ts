/** Calls a minute and token by operation of the events area (contract 5.1). */
const specified = {
  listSubscriptions: 300,
  createSubscription: 30,
  getSubscription: 300,
  updateSubscription: 60,
  deleteSubscription: 60,
  rotateSecret: 10,
  testSubscription: 10,
  listDeliveries: 300,
  redeliver: 60,
  listEvents: 300,
};

/** Names of those operations. */
export const limitedOperations = Object.keys(specified);

const override = `(?:${limitedOperations.join("|")})=[1-9]\\d{0,8}`;

/** The form of other limits: `createSubscription=60,listEvents=600`, each operation once. */
export const overridesPattern = `^(?!.*\\b(\\w+)=.*\\b\\1=)${override}(?:,\\s*${override})*$`;

/** The limits of the events area, some replaced in the form of `overridesPattern`. */
export function eventLimits(overrides = ""): typeof specified {
  const replaced = overrides.matchAll(/(\w+)=(\d+)/g).map(([, operation = "", calls]) => [operation, Number(calls)]);
  return { ...specified, ...Object.fromEntries(replaced) };
}
