// A view that is drawn again only when one of the named properties is another one.
import { Component, h } from 'preact';

/** @template P @param {(props: P) => any} view @param {readonly (keyof P & string)[]} keys @returns {any} */
export function memo(view, keys) {
  return class extends Component {
    /** @param {any} next */
    shouldComponentUpdate(next) {
      const now = /** @type {any} */ (this.props);
      return keys.some(key => next[key] !== now[key]);
    }

    /** @param {any} props */
    render(props) {
      return h(/** @type {any} */ (view), props);
    }
  };
}
