// The process entry: environment, start, stop on signal.
export {};
