/** A chance in whole percents, as it is read from afar. @param {number} chance */
export const whole = (chance) => (chance > 0 && chance < 0.005 ? "<1" : chance < 1 && chance >= 0.995 ? ">99" : String(Math.round(100 * chance)));
