import { orderSeedOf } from "@canvass/questions";
import type { DeviceStore } from "./device-store.ts";
import type { Link } from "./link-api.ts";

/** The seed of the orders shown before a respondent starts: the same on all devices of a personal link. */
export const ownOrderSeed = ({ isPersonal }: Link, code: string, store: DeviceStore): number =>
  orderSeedOf(isPersonal ? code : store.read().startKey);
