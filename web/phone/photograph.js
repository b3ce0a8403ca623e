// A throw by photograph: the phone's own camera takes it, and the table reads it.

import { newId } from "../dom.js";
import { sendPhotograph } from "../talk.js";

const MOST_PX = 2048; // the table reads no better from more
const QUALITY = 0.9;

/** Send the photograph that somebody took in a file input as the throw of a person. */
export async function photograph(input, who) {
  const [file] = input.files;
  input.value = ""; // the same photograph may be chosen once more
  if (!file) return null;
  return sendPhotograph(`/api/rolls/photo?id=${newId()}&who=${encodeURIComponent(who)}`, await scaled(file));
}

/** The photograph as a JPEG of at most 2,048 px; as it is where this browser cannot show it. */
async function scaled(file) {
  try {
    const picture = await createImageBitmap(file);
    const scale = Math.min(1, MOST_PX / Math.max(picture.width, picture.height));
    const canvas = document.createElement("canvas");
    Object.assign(canvas, { width: Math.round(picture.width * scale), height: Math.round(picture.height * scale) });
    canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
    return await new Promise((done) => canvas.toBlob((blob) => done(blob ?? file), "image/jpeg", QUALITY));
  } catch {
    return file;
  }
}
