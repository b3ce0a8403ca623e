export function repeat<One>(items: readonly One[], key: (one: One, n: number) => unknown, template: (one: One, n: number) => unknown): unknown;
