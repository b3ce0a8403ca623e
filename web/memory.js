// What this screen remembers of itself. Storage may be forbidden; the page works without.

const PREFIX = "tableside.";

/** Return what was remembered under this name, or null. @param {string} name */
export function recall(name) {
  try {
    return localStorage.getItem(PREFIX + name);
  } catch {
    return null;
  }
}

/** Remember a text, or forget it where it is null. @param {string} name @param {string | null} text */
export function remember(name, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + name);
    else localStorage.setItem(PREFIX + name, text);
  } catch {
    // a private window forgets; that is what it is for
  }
}

/** Return what was remembered as long as this window lives, or null. @param {string} name */
export function recallHere(name) {
  try {
    return JSON.parse(sessionStorage.getItem(PREFIX + name) ?? "null");
  } catch {
    return null;
  }
}

/** Remember something as long as this window lives, also over a reload; null forgets it. @param {string} name @param {unknown} value */
export function rememberHere(name, value) {
  try {
    if (value === null) sessionStorage.removeItem(PREFIX + name);
    else sessionStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // a private window forgets; that is what it is for
  }
}
