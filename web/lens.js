// This device's own camera, which browsers give to secure pages alone.

import { say } from "./strings.js";

export const isSecure = window.isSecureContext && Boolean(navigator.mediaDevices?.getUserMedia);

/** Whether this page may ask for a camera that is there. */
export async function hasLens() {
  const devices = isSecure ? await navigator.mediaDevices.enumerateDevices().catch(() => []) : [];
  return devices.some(({ kind }) => kind === "videoinput");
}

/**
 * Open the camera at the back, once who holds the device has allowed it.
 * @param {MediaTrackConstraints} wanted @returns {Promise<{ stream: MediaStream, error?: undefined } | { stream?: undefined, error: { what: string, hint: string } }>}
 */
export async function openLens(wanted) {
  try {
    return { stream: await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: { ideal: "environment" }, ...wanted } }) };
  } catch (error) {
    const { name } = /** @type {Error} */ (error);
    const why = name === "NotAllowedError" ? "refused" : name === "NotFoundError" ? "none" : "busy";
    return { error: { what: say(`cam.no.${why}`), hint: say(`cam.noHint.${why}`) } };
  }
}
