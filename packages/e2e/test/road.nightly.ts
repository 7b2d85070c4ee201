import { expectNoHolds } from "./loop-holds.ts";
import { demo } from "./road/road-system.ts";
import { wholeRoad } from "./road/whole-road.ts";

wholeRoad();
expectNoHolds(() => demo.system);
