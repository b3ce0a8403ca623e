// What the page of the set-up says, in each language.

export const SETUP = {
  en: {
    title: "Set the camera up",
    toScreen: "To the table",
    toDice: "Teach dice",
    live: "What the camera sees",
    sharpness: "Sharpness: turn the lens until the bar stops rising",
    light: "Light",
    lightGood: "The light is good.",
    sees: (sensor, across, down, field) =>
      `${field ? `Field of view: ${field.map(Math.round).join("° x ")}°; the` : "The"} picture shows ` +
      `${across} % of the width and ${down} % of the height of the sensor ${sensor}.`,
    noPicture: "The camera gives no picture.",
    noCamera: "The camera is switched off in the settings: enter the dice by hand on the table's screen.",
    adjust: "Auto-adjust",
    find: "Find the tray",
    notFound: "No tray was found. Drag the corners to it, or lay the printed marks into it.",
    found: "This is the tray. Drag a corner where it is wrong.",
    save: "Save the empty tray",
    saved: "Saved. Throw some dice.",
    read: "Read the tray",
    asked: "The tray is read; the result is on the table's screen.",
    corners: ["top left corner", "top right corner", "bottom right corner", "bottom left corner"],
  },
  de: {
    title: "Kamera einrichten",
    toScreen: "Zum Tisch",
    toDice: "Würfel lehren",
    live: "Was die Kamera sieht",
    sharpness: "Schärfe: am Objektiv drehen, bis der Balken nicht mehr steigt",
    light: "Licht",
    lightGood: "Das Licht ist gut.",
    sees: (sensor, across, down, field) =>
      `${field ? `Blickfeld: ${field.map(Math.round).join("° x ")}°; das` : "Das"} Bild zeigt ` +
      `${across} % der Breite und ${down} % der Höhe des Sensors ${sensor}.`,
    noPicture: "Die Kamera liefert kein Bild.",
    noCamera: "Die Kamera ist in den Einstellungen abgeschaltet: Gebt die Würfel am Tisch von Hand ein.",
    adjust: "Automatisch einstellen",
    find: "Tablett suchen",
    notFound: "Kein Tablett gefunden. Die Ecken dorthin ziehen oder die gedruckten Marken hineinlegen.",
    found: "Das ist das Tablett. Eine falsche Ecke lässt sich ziehen.",
    save: "Leeres Tablett speichern",
    saved: "Gespeichert. Jetzt würfeln.",
    read: "Tablett lesen",
    asked: "Das Tablett wird gelesen; das Ergebnis steht auf dem Tisch.",
    corners: ["Ecke oben links", "Ecke oben rechts", "Ecke unten rechts", "Ecke unten links"],
  },
};
