/** Files that are made until this is disposed are for their owner only. */
export function privateFiles(): Disposable {
  const former = process.umask(0o077);
  return { [Symbol.dispose]: () => void process.umask(former) };
}
