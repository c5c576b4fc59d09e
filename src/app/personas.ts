import { errorMessage } from '../engine/model-failure.ts';
import { type Kernel, notify, reportingErrors, reportUnexpected, setSession } from './kernel.ts';
import { chosenPersona, type Persona, type Personas, readPersonas, settingsOfPersona } from './persona.ts';

const SETTING = 'personas';

export type PersonaKeeper = ReturnType<typeof createPersonas>;

/** Stores the user's personas on this device and follows other tabs. */
export const createPersonas = (kernel: Kernel) => {
  const { store, ports } = kernel;

  const show = async (): Promise<void> => {
    store.setState({ personas: readPersonas(await kernel.storage.setting(SETTING)) });
  };

  /** Applies the current persona to a conversation with no messages yet. */
  const beginAnew = (): void =>
    store.setState(({ entries, forest, personas }) =>
      entries.length > 0 ? {} : { forest: { ...forest, replySettings: settingsOfPersona(chosenPersona(personas)) } },
    );

  const save = async (personas: Personas): Promise<void> => {
    store.setState({ personas });
    beginAnew();
    await kernel.storage.saveSetting(SETTING, personas);
  };

  const takeModel = async (): Promise<void> => {
    const persona = chosenPersona(store.getState().personas);
    if (persona.model === null) return;
    await takeModelOf(kernel, persona, persona.model);
  };

  return {
    /** Runs before the first conversation is opened. */
    start: async (): Promise<void> => {
      const follow = () => show().catch((error) => reportUnexpected(kernel, 'Reading the personas', error));
      ports.watchSettings((name) => {
        if (name === SETTING) void follow().then(beginAnew);
      });
      await follow();
    },

    /** Switches to the model of the current persona. */
    takeModel,

    actions: {
      savePersonas: reportingErrors(kernel, 'Saving the personas', save),
      /** Makes new conversations start with it, including the open one if it is still empty. */
      choosePersona: reportingErrors(kernel, 'Choosing the persona', async (id: string) => {
        await save({ ...store.getState().personas, chosen: id });
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
  const needsFiles = offer.runtime !== 'server' && offer.runtime !== 'prompt-api';
  const isHere =
    !needsFiles ||
    (await ports.modelControl.stored()).some(
      ({ key, bytes, total }) => key === model.key && (total === null || bytes >= total),
    );
  if (!isHere) return notify(kernel, `${offer.name}, which ${name} uses for replies, is not downloaded.`, openModels);
  // The model's state shows the loading; anything it does not show is reported here.
  ports.modelControl.choose('chat', { kind: 'model', key: model.key }).catch((error: unknown) => {
    if (store.getState().models.chat.state !== 'failed') notify(kernel, errorMessage(error), openModels);
  });
};
