import type { Directory } from "./directory.ts";

/** For one request, whose preview and whose check ask for the same exclusions: they are looked up once. */
export function oneLookEach<D extends Directory>(directory: D): D {
  const looks = new Map<string, ReturnType<Directory["liveExclusions"]>>();
  return {
    ...directory,
    liveExclusions: (now, resourceIds) => {
      const key = JSON.stringify([now, resourceIds]);
      const look = looks.get(key) ?? directory.liveExclusions(now, resourceIds);
      looks.set(key, look);
      return look;
    },
  };
}
