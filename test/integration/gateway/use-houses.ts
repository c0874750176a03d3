// Gateways for the tests of one file: each is stopped with all that it made when its test is over.
import { afterEach } from 'vitest';
import { type House, type HouseOptions, openHouse } from './house.ts';

const NOW = AbortSignal.abort();

export function useHouses(): { open(options?: HouseOptions): Promise<House> } {
  const houses = new Set<House>();
  const finished = new Set<House>();
  afterEach(async () => {
    for (const house of houses) {
      if (!finished.has(house)) await house.gateway.stop({ signal: NOW });
      if (!finished.has(house)) await house.ground.close();
    }
    houses.clear();
  });
  return {
    async open(options = {}) {
      const house = await openHouse(options);
      const { crash } = house;
      const tracked: House = {
        ...house,
        async crash() {
          finished.add(tracked);
          await crash();
        },
      };
      houses.add(tracked);
      return tracked;
    },
  };
}
