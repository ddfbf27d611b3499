import { useState } from "preact/hooks";

/** A boolean that this browser stores. */
export function useStoredFlag(name: string): readonly [boolean, (isSet: boolean) => void] {
  const [isSet, setIsSet] = useState(() => read(name));
  return [
    isSet,
    (next) => {
      setIsSet(next);
      store(name, next);
    },
  ];
}

/** Throws in a browser that blocks storage. */
function read(name: string): boolean {
  try {
    return localStorage.getItem(name) === "yes";
  } catch {
    return false;
  }
}

function store(name: string, isSet: boolean): void {
  try {
    localStorage.setItem(name, isSet ? "yes" : "no");
  } catch {
    // The setting lasts only until the page is reloaded.
  }
}
