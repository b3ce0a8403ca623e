// What pairing says, on the table's screen and on the phone, in each language.

export const PAIRING = {
  en: {
    hint: "Scan the code, or open this address and enter the PIN.",
    alone: "This table listens to this machine only.",
    aloneHow: "To let phones in, set [web] host to 0.0.0.0 in the settings and start the table again.",
    masterHere: "Use this screen as game master",
    masterHereMore: "It then shows hidden rolls, too.",
    valid: (seconds) => {
      const minutes = Math.ceil(seconds / 60);
      if (seconds <= 60) return `Valid for ${seconds} ${seconds === 1 ? "second" : "seconds"}`;
      return `Valid for ${minutes} minutes`;
    },
    over: "The PIN has expired.",
    isIn: (name) => `${name}'s phone is in`,
    again: "New PIN",
    done: "Done",
    code: "Code with the address and the PIN",
    title: "Pair this phone",
    pin: "PIN from the table's screen",
    name: "Your name",
    iAm: "I am",
    send: "Pair",
    pairedAs: (role, name) => `Paired as ${role}${name ? `: ${name}` : ""}.`,
    forget: "Forget this phone",
  },
  de: {
    hint: "Scannt den Code, oder öffnet diese Adresse und gebt die PIN ein.",
    alone: "Dieser Tisch hört nur auf diesen Rechner.",
    aloneHow: "Telefone erreichen ihn, wenn [web] host in den Einstellungen 0.0.0.0 ist und der Tisch neu startet.",
    masterHere: "Diesen Bildschirm als Spielleitung nutzen",
    masterHereMore: "Er zeigt dann auch verdeckte Würfe.",
    valid: (seconds) => {
      const minutes = Math.ceil(seconds / 60);
      if (seconds <= 60) return `${seconds} ${seconds === 1 ? "Sekunde" : "Sekunden"} gültig`;
      return `${minutes} Minuten gültig`;
    },
    over: "Die PIN ist abgelaufen.",
    isIn: (name) => `Das Telefon von ${name} ist dabei`,
    again: "Neue PIN",
    done: "Fertig",
    code: "Code mit Adresse und PIN",
    title: "Dieses Telefon koppeln",
    pin: "PIN vom Bildschirm des Tisches",
    name: "Dein Name",
    iAm: "Ich bin",
    send: "Koppeln",
    pairedAs: (role, name) => `Gekoppelt als ${role}${name ? `: ${name}` : ""}.`,
    forget: "Dieses Telefon vergessen",
  },
};
