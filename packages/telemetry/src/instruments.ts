import * as prom from "prom-client";

/** A registry that is always empty. The instruments of this file count nothing for it. */
export class SilentRegistry extends prom.Registry {
  override registerMetric(): void {}
}

const silently = () => undefined;

/** prom-client sets an instrument's methods in its constructor, so this replaces them afterwards. */
function muteIfSilent(instrument: object, { registers = [] }: { registers?: unknown[] }): void {
  if (!registers.some((registry) => registry instanceof SilentRegistry)) return;
  const labels = () => instrument;
  Object.assign(instrument, { inc: silently, dec: silently, set: silently, observe: silently, labels });
}

export class Counter<Label extends string = string> extends prom.Counter<Label> {
  constructor(config: prom.CounterConfiguration<Label>) {
    super(config);
    muteIfSilent(this, config);
  }
}

export class Gauge<Label extends string = string> extends prom.Gauge<Label> {
  constructor(config: prom.GaugeConfiguration<Label>) {
    super(config);
    muteIfSilent(this, config);
  }
}

export class Histogram<Label extends string = string> extends prom.Histogram<Label> {
  constructor(config: prom.HistogramConfiguration<Label>) {
    super(config);
    muteIfSilent(this, config);
  }
}
