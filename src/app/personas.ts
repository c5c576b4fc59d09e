import { errorMessage } from '../engine/model-failure.ts';
import { keptSetting } from './kept-setting.ts';
import { type Kernel, notify, reportingErrors, setSession } from './kernel.ts';
import { needsNoDownload } from './model-control.ts';
import { chosenPersona, type Persona, type Personas, readPersonas, settingsOfPersona } from './persona.ts';

export type PersonaKeeper = ReturnType<typeof createPersonas>;

/** Stores the user's personas on this device and follows other tabs. */
export const createPersonas = (kernel: Kernel) => {
  const { store } = kernel;

  /** Applies the current persona to a conversation with no messages yet, too. */
  const show = (personas: Personas): void =>
    store.setState(({ entries, forest }) => ({
      personas,
      ...(entries.length === 0 && {
        forest: { ...forest, replySettings: settingsOfPersona(chosenPersona(personas)) },
      }),
    }));

  const kept = keptSetting(kernel, { name: 'personas', words: 'the personas', parse: readPersonas, show });

  const takeModel = async (): Promise<void> => {
    const persona = chosenPersona(store.getState().personas);
    if (persona.model === null) return;
    await takeModelOf(kernel, persona, persona.model);
  };

  const save = reportingErrors(kernel, 'Saving the personas', kept.change);

  return {
    /** Runs before the first conversation is opened. */
    start: kept.follow,

    /** Switches to the model of the current persona. */
    takeModel,

    actions: {
      /** Shows the change at once and saves it: `next` is also carried out on what other tabs have saved by then. */
      changePersonas: (next: (now: Personas) => Personas): Promise<void> => {
        show(next(store.getState().personas));
        return save(next);
      },
      /** Makes new conversations start with it, including the open one if it is still empty. */
      choosePersona: reportingErrors(kernel, 'Choosing the persona', async (id: string) => {
        const choose = (now: Personas): Personas => ({ ...now, chosen: id });
        show(choose(store.getState().personas));
        await kept.change(choose);
        // A conversation that has already started keeps its model.
        if (store.getState().entries.length === 0) await takeModel();
      }),
    },
  };
};

/** Switches to a persona's model if it is available locally: nothing is downloaded unasked. */
const takeModelOf = async (kernel: Kernel, { name }: Persona, model: NonNullable<Persona['model']>): Promise<void> => {
  const { store, ports } = kernel;
  const { choice } = store.getState().models.chat;
  if (choice.kind === 'model' && choice.key === model.key) return;
  const openModels = {
    label: 'Open Models',
    run: () => setSession(kernel, { dialog: 'models', with: 'chat' }),
  };
  const offer = (await ports.modelControl.offers()).find(({ key }) => key === model.key);
  if (offer === undefined) {
    return notify(kernel, `${model.name}, which ${name} uses for replies, is no longer available.`, openModels);
  }
  const mayLoad = needsNoDownload(offer, await ports.modelControl.stored());
  if (!mayLoad) return notify(kernel, `${offer.name}, which ${name} uses for replies, is not downloaded.`, openModels);
  // The model's state shows the loading; anything it does not show is reported here.
  ports.modelControl.choose('chat', { kind: 'model', key: model.key }).catch((error: unknown) => {
    if (store.getState().models.chat.state !== 'failed') notify(kernel, errorMessage(error), openModels);
  });
};
