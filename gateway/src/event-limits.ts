/** Calls per minute and token for each operation of the events area (contract 5.1). */
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

export const limitedOperations = Object.keys(specified);

const override = `(?:${limitedOperations.join("|")})=[1-9]\\d{0,8}`;

/** Matches overrides such as `createSubscription=60,listEvents=600`, each operation once. */
export const overridesPattern = `^(?!.*\\b(\\w+)=.*\\b\\1=)${override}(?:,\\s*${override})*$`;

export function eventLimits(overrides = ""): typeof specified {
  const replaced = overrides.matchAll(/(\w+)=(\d+)/g).map(([, operation = "", calls]) => [operation, Number(calls)]);
  return { ...specified, ...Object.fromEntries(replaced) };
}
