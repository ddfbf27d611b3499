import { useState } from "preact/hooks";

/** A boolean that this browser stores. `initial` until it is set. */
export function useStoredFlag(name: string, initial = false): readonly [boolean, (isSet: boolean) => void] {
  const [isSet, setIsSet] = useState(() => read(name) ?? initial);
  return [
    isSet,
    (next) => {
      setIsSet(next);
      store(name, next);
    },
  ];
}

/** Undefined when it was never set, or in a browser that blocks storage. */
function read(name: string): boolean | undefined {
  try {
    const stored = localStorage.getItem(name);
    return stored === null ? undefined : stored === "yes";
  } catch {
    return undefined;
  }
}

function store(name: string, isSet: boolean): void {
  try {
    localStorage.setItem(name, isSet ? "yes" : "no");
  } catch {
    // The setting lasts only until the page is reloaded.
  }
}
