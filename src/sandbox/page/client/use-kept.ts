import { useState } from "preact/hooks";

/** A yes or no that this browser remembers. */
export function useKept(name: string): readonly [boolean, (isSet: boolean) => void] {
  const [isSet, setIsSet] = useState(() => read(name));
  return [
    isSet,
    (next) => {
      setIsSet(next);
      keep(name, next);
    },
  ];
}

/** A browser may be told to keep nothing. */
function read(name: string): boolean {
  try {
    return localStorage.getItem(name) === "yes";
  } catch {
    return false;
  }
}

function keep(name: string, isSet: boolean): void {
  try {
    localStorage.setItem(name, isSet ? "yes" : "no");
  } catch {
    // Then it is asked again next time.
  }
}
