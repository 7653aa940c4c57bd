# SPDX-License-Identifier: GPL-3.0-or-later
"""German, in the words that Blender's own interface and animators use."""

WORDS = {
    # operators
    "Leg IK": "Bein-IK",
    "Leg IK On": "Bein-IK ein",
    "Leg IK Off": "Bein-IK aus",
    "Plant the feet in a copy of the action, and keep the original": (
        "Die Füße in einer Kopie aufsetzen und das Original behalten"
    ),
    "Find Legs": "Beine finden",
    "Find the legs by bone names and structure": "Die Beine an Knochennamen und Aufbau erkennen",
    "Add Leg": "Bein hinzufügen",
    "Add a leg from the selected bones, or the active foot bone": (
        "Ein Bein aus den ausgewählten Knochen oder dem Fuß anlegen"
    ),
    "Remove Leg": "Bein entfernen",
    "Forget this leg; bones and animation stay": "Dieses Bein vergessen; Knochen und Animation bleiben",
    "Save Legs": "Beine speichern",
    "Save the legs to a file for armatures with the same bones": (
        "Die Beine für Armaturen mit denselben Knochen speichern"
    ),
    "Load Legs": "Beine laden",
    "Load the legs of a file, by the names of its bones": "Die Beine einer Datei anhand ihrer Knochennamen laden",
    "Update": "Aktualisieren",
    "Plant the feet again from the original; other keys stay": (
        "Noch einmal aus dem Original aufsetzen; andere Keyframes bleiben"
    ),
    "Apply": "Anwenden",
    "Make this an ordinary action with the original's name": (
        "Daraus eine gewöhnliche Aktion mit dem Namen des Originals machen"
    ),
    "Remove": "Entfernen",
    "Play the original again and remove all that Leg IK added": (
        "Das Original abspielen und alles von Bein-IK entfernen"
    ),
    "Clean Up": "Aufräumen",
    "Remove planted actions of armatures that are gone": "Korrigierte Aktionen gelöschter Armaturen entfernen",
    "Open Report": "Bericht öffnen",
    "Open the report as a page that plays both motions": "Den Bericht als Seite mit beiden Bewegungen öffnen",
    "Plant Selected Armatures": "Ausgewählte Armaturen aufsetzen",
    "Switch Leg IK on for the selected armatures": "Bein-IK für die ausgewählten Armaturen einschalten",
    "Plant All Actions": "Alle Aktionen aufsetzen",
    "Plant all actions that move the legs of this armature": "Alle Aktionen aufsetzen, die diese Beine bewegen",
    "Add Contact": "Kontakt hinzufügen",
    "Add a contact that begins in the current frame": "Einen Kontakt hinzufügen, der im aktuellen Frame beginnt",
    "Remove Contact": "Kontakt entfernen",
    "Remove the contact and its markers, and free the foot": "Kontakt und Marker entfernen und den Fuß freigeben",
    "Set From Current Frame": "Vom aktuellen Frame übernehmen",
    "Let the contact begin or end in the current frame": "Den Kontakt am aktuellen Frame beginnen oder enden lassen",
    "Pin Contact": "Kontakt anheften",
    "Pin the foot to the 3D cursor or the selected empty": "Den Fuß an den 3D-Cursor oder das ausgewählte Empty heften",
    "Unpin Contact": "Kontakt lösen",
    "Let the foot stand where planting finds it best": "Den Fuß dort stehen lassen, wo es am besten passt",
    "Find Contacts Again": "Kontakte neu finden",
    "Discard all edits, find the contacts again and plant": "Alle Änderungen verwerfen, Kontakte neu finden, aufsetzen",
    "Drag Contact": "Kontakt ziehen",
    "Drag an end of a contact, or all of it, to other frames": (
        "Einen Kontakt oder ein Ende davon auf andere Frames ziehen"
    ),
    "Drag Foot": "Fuß ziehen",
    "Drag the foot of the active bone; thigh and shin follow": "Den Fuß ziehen; Ober- und Unterschenkel folgen",
    "Move": "Bewegen",
    "Motion of the ankle in world space": "Weg des Knöchels in der Welt",
    "Turn": "Drehen",
    "Rotation of the foot in world space: axis times angle": "Drehung des Fußes in der Welt: Achse mal Winkel",
    "Knee": "Knie",
    "Turn of the knee around the line from hip to ankle": "Drehung des Knies um die Linie Hüfte–Knöchel",
    "On Ground": "Auf den Boden",
    "Set the sole on the ground": "Die Sohle auf den Boden setzen",
    "Lock Foot": "Fuß festhalten",
    "Hold the foot where it is: preview range, or selected keys": (
        "Den Fuß festhalten: im Vorschaubereich oder ausgewählte Keys"
    ),
    "First frame in which the foot is held": "Erster Frame, in dem der Fuß gehalten wird",
    "Last frame in which the foot is held": "Letzter Frame, in dem der Fuß gehalten wird",
    "Remove Edit": "Änderung entfernen",
    "Remove the active edit, and let the foot go as planted": "Die aktive Änderung entfernen",
    "Go To Frame": "Zum Frame springen",
    "Go to the frame that this is about": "Zu dem Frame gehen, um den es geht",
    # panels
    "Warnings": "Warnungen",
    "Before and After": "Vorher und nachher",
    "Settings": "Einstellungen",
    "Legs": "Beine",
    "Leg Files": "Beindateien",
    "Many at Once": "Mehrere auf einmal",
    "Contacts": "Kontakte",
    "Feet by Hand": "Füße von Hand",
    "Fade In": "Einblenden",
    "Frames over which the edit fades in": "Frames, in denen die Änderung eingeblendet wird",
    "Fade Out": "Ausblenden",
    "Frames over which the edit fades out": "Frames, in denen die Änderung ausgeblendet wird",
    "Plants the feet in a copy of the action; the original stays": (
        "Setzt die Füße in einer Kopie auf; das Original bleibt"
    ),
    "The original has changed: press Update": "Das Original wurde geändert: „Aktualisieren“ drücken",
    "Save…": "Speichern …",
    "Selected Armatures": "Ausgewählte Armaturen",
    "All Actions of This One": "Alle Aktionen von dieser",
    "Original: what the NLA plays": "Original: was der NLA abspielt",
    "The original is gone: press Apply to keep this action": "Das Original ist weg: „Anwenden“ behält diese Aktion",
    "Foot paths: press Update to see them": "Fußwege: „Aktualisieren“ drücken, um sie zu sehen",
    "Nothing that a viewer would mind.": "Nichts, woran sich ein Zuschauer stören würde.",
    "by hand": "von Hand",
    "heel": "Ferse",
    "ball": "Ballen",
    "flat": "flach",
    "Left": "Links",
    "Right": "Rechts",
    "Documentation": "Dokumentation",
    "Report a Bug": "Fehler melden",
    # foot paths
    "Foot Paths": "Fußwege",
    "Draw the paths of the feet in the 3D view: grey before, red where they slid, orange planted, green where they "
    "stand, blue rings on the ground, and how far each contact slid before and after": (
        "Die Wege der Füße in die 3D-Ansicht zeichnen: grau vorher, rot wo sie gerutscht sind, orange nachher, grün wo "
        "sie stehen, blaue Ringe auf dem Boden, und wie weit jeder Kontakt vorher und nachher rutscht"
    ),
    "Before": "Vorher",
    "Slid": "Gerutscht",
    "Planted": "Nachher",
    "Stands": "Steht",
    "Ground": "Boden",
    # preferences
    "Armatures without settings of their own are planted with:": "Für Armaturen ohne eigene Einstellungen gilt:",
    "Show Contacts": "Kontakte anzeigen",
    "Draw contacts in Dope Sheet, Action Editor and 3D view": (
        "Kontakte in Dope Sheet, Aktionseditor und 3D-Ansicht zeichnen"
    ),
    # legs
    "Use": "Verwenden",
    "Plant this leg": "Den Fuß dieses Beins aufsetzen",
    "Thigh": "Oberschenkel",
    "Bone that turns at the hip": "Knochen, der sich an der Hüfte dreht",
    "Shin": "Unterschenkel",
    "Bone that turns at the knee": "Knochen, der sich am Knie dreht",
    "Foot": "Fuß",
    "Bone that turns at the ankle": "Knochen, der sich am Knöchel dreht",
    "Toe": "Zehen",
    "Bone that turns at the ball of the foot": "Knochen, der sich am Fußballen dreht",
    "Heel": "Ferse",
    "Bone at the heel, if there is one": "Knochen an der Ferse, falls es einen gibt",
    "Pelvis": "Becken",
    "Bone above both legs": "Knochen über beiden Beinen",
    "Reasons": "Gründe",
    "Show how each bone was found": "Zeigen, woran jeder Knochen erkannt wurde",
    "Confidence": "Sicherheit",
    "Leg": "Bein",
    "Which one, counted from 0": "Welches, von 0 an gezählt",
    "Name": "Name",
    "Name of the file": "Name der Datei",
    "Name or path of the file": "Name oder Pfad der Datei",
    # contacts
    "Contact": "Kontakt",
    "The foot that stands": "Der Fuß, der steht",
    "Side of the foot, or its bone": "Seite des Fußes oder sein Knochen",
    "First": "Erster",
    "First frame in which the foot stands": "Erster Frame, in dem der Fuß steht",
    "Last": "Letzter",
    "Last frame in which the foot stands": "Letzter Frame, in dem der Fuß steht",
    "Part": "Teil",
    "Which part of the foot stands": "Welcher Teil des Fußes steht",
    "The whole foot, rolling from heel to ball as it does": "Der ganze Fuß, wie er von der Ferse zum Ballen abrollt",
    "Only the heel; the toes are up": "Nur die Ferse: die Zehen sind oben",
    "Ball": "Ballen",
    "Only the ball; the heel is up": "Nur der Ballen: die Ferse ist oben",
    "Flat": "Flach",
    "Heel and ball all the time": "Ferse und Ballen, die ganze Zeit",
    "Hold the foot here": "Den Fuß hier festhalten",
    "Own Height": "Eigene Höhe",
    "Stand at a height of its own, not on the ground": "Auf einer eigenen Höhe stehen statt auf dem Boden",
    "Height": "Höhe",
    "Height of the sole along world Z": "Höhe der Sohle entlang Welt-Z",
    "Pinned": "Angeheftet",
    "Pin the ball of the foot above a position": "Den Fußballen über einer Stelle anheften",
    "Place": "Stelle",
    "World position under the ball of the foot; Z is ignored": "Weltposition unter dem Fußballen; Z wird ignoriert",
    "Follows": "Folgt",
    "Object under the ball of the foot in the contact's first frame": "Objekt unter dem Fußballen im ersten Frame",
    "End": "Ende",
    "Which end of the contact": "Welches Ende des Kontakts",
    "The foot comes down here": "Hier setzt der Fuß auf",
    "The foot still stands here": "Hier steht der Fuß noch",
    "To": "An",
    "Where the foot stands": "Wo der Fuß steht",
    "3D Cursor": "3D-Cursor",
    "Over the 3D cursor": "Über dem 3D-Cursor",
    "Cursor": "Cursor",
    "Empty": "Empty",
    "Over the selected empty, in the contact's first frame": (
        "Über dem ausgewählten Empty, im ersten Frame des Kontakts"
    ),
    "Height Too": "Höhe auch",
    "Let the sole stand at this height, too": "Die Sohle auch auf dieser Höhe stehen lassen",
    # settings
    "Own Settings": "Eigene Einstellungen",
    "Use settings of this armature, not the preferences": "Einstellungen dieser Armatur statt der Voreinstellungen",
    "What the feet stand on": "Worauf die Füße stehen",
    "Estimated": "Geschätzt",
    "A horizontal plane at the height of the standing feet": "Eine waagerechte Ebene auf der Höhe der stehenden Füße",
    "A horizontal plane at a height that you enter": "Eine waagerechte Ebene auf einer Höhe, die du eingibst",
    "Objects": "Objekte",
    "Meshes of the scene: an object, a collection, or both": "Meshes der Szene: ein Objekt, eine Sammlung oder beides",
    "World Z of the ground": "Welt-Z des Bodens",
    "Object": "Objekt",
    "Object with the mesh that feet stand on": "Objekt, auf dessen Mesh die Füße stehen",
    "Collection": "Sammlung",
    "Collection with the meshes that feet stand on": "Sammlung, auf deren Meshes die Füße stehen",
    "Ground Motion": "Bodenbewegung",
    "How the ground moves under a cycle in place": "Wie sich der Boden unter einem Zyklus auf der Stelle bewegt",
    "Off": "Aus",
    "Still; a cycle in place gets only its heights corrected": ("Steht still; bei Zyklen werden nur Höhen korrigiert"),
    "From Feet": "Nach den Füßen",
    "With the standing feet of a cycle in place": "Mit den stehenden Füßen eines Zyklus auf der Stelle",
    "Velocity": "Geschwindigkeit",
    "At a velocity that you enter, and standing feet with it": (
        "Mit eingegebener Geschwindigkeit, stehende Füße mit ihm"
    ),
    "World velocity of the ground per second; Z must be 0": "Geschwindigkeit des Bodens je Sekunde; Z muss 0 sein",
    "Travel": "Fortbewegung",
    "How the root bone travels": "Wie sich der Wurzelknochen fortbewegt",
    "Keep": "Beibehalten",
    "Leave it as it is": "So lassen, wie sie ist",
    "In Place": "Auf der Stelle",
    "Remove its mean horizontal travel": "Seine mittlere waagerechte Fortbewegung entfernen",
    "Travelling": "Mit Fortbewegung",
    "Let a cycle in place travel as fast as its feet go back": "Fortbewegung so schnell, wie die Füße zurückgehen",
    "Ground Speed": "Bodentempo",
    "Speed of the root at which these feet do not slide": "Tempo der Wurzel, bei dem diese Füße nicht rutschen",
    "When a foot is held": "Wann ein Fuß gehalten wird",
    "Automatic": "Automatisch",
    "Where the foot is low and slow": "Wo der Fuß niedrig und langsam ist",
    "Always": "Immer",
    "On every frame": "In jedem Frame",
    "Never": "Nie",
    "No foot is held, and nothing changes": "Kein Fuß wird gehalten, und nichts ändert sich",
    "Ground Only": "Nur Boden",
    "Only heights are corrected; feet may slide": "Nur Höhen werden korrigiert; Füße dürfen rutschen",
    "Cycle": "Zyklus",
    "Where it is lowest and slowest: for feet that never rest": (
        "Wo er am tiefsten und langsamsten ist: für rastlose Füße"
    ),
    "Reach": "Reichweite",
    "What happens where a leg is too short": "Was geschieht, wo ein Bein zu kurz ist",
    "Soft IK": "Weiche IK",
    "Lower the pelvis, and slow legs down before they are straight": (
        "Das Becken senken und Beine vor dem Strecken bremsen"
    ),
    "Lower Pelvis": "Becken senken",
    "Lower the pelvis, and do nothing else": "Das Becken senken, sonst nichts",
    "Range": "Bereich",
    "Which frames are planted": "Welche Frames korrigiert werden",
    "Action": "Aktion",
    "All frames of the action": "Alle Frames der Aktion",
    "Scene": "Szene",
    "Frames of the scene, or its preview range": "Frames der Szene oder ihr Vorschaubereich",
    "Selected Keys": "Ausgewählte Keyframes",
    "From the first to the last selected key of leg bones": "Vom ersten bis zum letzten ausgewählten Bein-Keyframe",
    "Rate": "Rate",
    "Frame rate of the motion; keys stay on their frames": "Framerate der Bewegung; Keyframes bleiben auf ihren Frames",
    "The frame rate of the scene": "Die Framerate der Szene",
    "Number": "Zahl",
    "A frame rate that you enter": "Eine Framerate, die du eingibst",
    "From BVH File": "Aus BVH-Datei",
    "The frame rate of the BVH file of the motion": "Die Framerate der BVH-Datei der Bewegung",
    "Frame Rate": "Framerate",
    "Frames of the motion per second": "Frames der Bewegung je Sekunde",
    "BVH File": "BVH-Datei",
    "File with the frame rate of the motion": "Datei mit der Framerate der Bewegung",
    "Plant again at the frame rate of the motion's BVH file": "Mit der Framerate der BVH-Datei noch einmal aufsetzen",
    "The legs move as in slow motion: if the motion was made at another frame rate, "
    "choose it as Rate or take it from the BVH file": (
        "Die Beine bewegen sich wie in Zeitlupe: Stammt die Bewegung aus einer anderen Framerate, "
        "wähle diese als Rate oder nimm sie aus der BVH-Datei"
    ),
    "Read": "Lesen",
    "How the motion is read": "Wie die Bewegung gelesen wird",
    "From F-curves, or frame by frame if they are not enough": (
        "Aus F-Kurven, oder Frame für Frame, wenn sie nicht reichen"
    ),
    "Curves": "Kurven",
    "From F-curves, even if other add-ons may move the bones": "Aus F-Kurven, auch wenn andere Add-ons Knochen bewegen",
    "Step": "Schrittweise",
    "Frame by frame as in playback: slower, and misses nothing": (
        "Frame für Frame wie beim Abspielen: langsamer, lückenlos"
    ),
    "Keys": "Keyframes",
    "How many keys planted bones and controls get": "Wie viele Keyframes die Knochen und Controls bekommen",
    "Every Frame": "Jeder Frame",
    "A key on every frame: exact": "Ein Keyframe in jedem Frame: genau",
    "Sparse": "Wenige",
    "Few keys with smooth curves, to edit by hand": "Wenige Keyframes mit weichen Kurven, zum Bearbeiten",
    "Tolerance": "Toleranz",
    "How far keys may be off, in millimetres per metre of leg": "Erlaubte Abweichung in Millimetern je Meter Bein",
    "State": "Zustand",
    "What the switch does": "Was der Schalter tut",
    "Toggle": "Umschalten",
    "Switch on if it is off, and off if it is on": "Einschalten, wenn er aus ist, und ausschalten, wenn er ein ist",
    "On": "Ein",
    "Plant the feet in a copy, or play the copy that is there": (
        "In einer Kopie aufsetzen oder die vorhandene abspielen"
    ),
    "Play the original action again": "Wieder die Originalaktion abspielen",
    "File": "Datei",
    "File to write; if empty, one in your Blender folder": "Zieldatei; wenn leer, eine in deinem Blender-Ordner",
    "Show": "Anzeigen",
    "Open the page in the browser": "Die Seite im Browser öffnen",
    "Frame": "Frame",
    "Frame of the scene": "Frame der Szene",
    "Result": "Ergebnis",
    # sentences of panels, reports and greyed-out buttons
    "Select an armature": "Wähle eine Armatur aus",
    "Select armatures": "Wähle Armaturen aus",
    "Select an armature, or a mesh that one deforms": "Wähle eine Armatur oder ein Mesh, das eine verformt",
    "A render is running: wait for its end, or cancel it": "Es wird gerendert: warte das Ende ab oder brich es ab",
    "Leave Edit Mode first": "Verlasse zuerst den Bearbeitungsmodus",
    "The armature is in Rest Position: switch to Pose Position": (
        "Armatur in Ruheposition: auf Posenposition umschalten"
    ),
    "Leave NLA tweak mode first": "Verlasse zuerst den NLA-Bearbeitungsmodus",
    "Switch Leg IK on first": "Schalte zuerst Bein-IK ein",
    "Choose a contact in the list first": "Wähle zuerst einen Kontakt in der Liste",
    "There is nothing to remove": "Es gibt nichts zu entfernen",
    "Contacts were edited since: press Update": "Kontakte wurden seitdem geändert: „Aktualisieren“ drücken",
    "An object that a contact follows has moved: press Update": (
        "Ein verfolgtes Objekt wurde bewegt: „Aktualisieren“ drücken"
    ),
    "The contact is gone, as a marker of it was removed: press Update": (
        "Den Kontakt gibt es nicht mehr, weil ein Marker von ihm entfernt wurde: „Aktualisieren“ drücken"
    ),
    "Contacts were edited by hand: the setting Contacts has no effect before Find Contacts Again": (
        "Kontakte wurden von Hand geändert: die Einstellung „Kontakte“ wirkt erst nach „Kontakte neu finden“"
    ),
    "Press Update to plant with it": "„Aktualisieren“ drücken, um damit aufzusetzen",
    "Added a leg: choose its bones": "Bein hinzugefügt: wähle seine Knochen",
    "Cancelled: nothing was changed": "Abgebrochen: nichts wurde geändert",
    "No ground is chosen: name an object or a collection": "Es ist kein Boden gewählt: gib Objekt oder Sammlung an",
    "No key of a leg bone is selected: select some, or set Range to Action": (
        "Kein Bein-Keyframe ist ausgewählt: wähle welche oder setze „Bereich“ auf „Aktion“"
    ),
    "The scene stretches time: set both values of Time Stretching (Output, Frame Range) to the same": (
        "Die Szene dehnt die Zeit: setze beide Werte der Zeitdehnung (Ausgabe, Frame-Bereich) auf denselben"
    ),
    "Leg keys were edited by hand since: the report shows what was planted": (
        "Bein-Keyframes wurden seitdem von Hand geändert: der Bericht zeigt, was aufgesetzt wurde"
    ),
    "The legs have changed since: the report is what Update would do": (
        "Die Beine wurden seitdem geändert: der Bericht zeigt, was „Aktualisieren“ täte"
    ),
    "The legs have changed since: planted again": "Die Beine wurden seitdem geändert: noch einmal aufgesetzt",
    "Ground Motion: From Feet holds the feet of this cycle in place on a ground that moves": (
        "„Bodenbewegung: Nach den Füßen“ hält die Füße dieses Zyklus auf einem Boden, der sich bewegt"
    ),
    "F-curve modifiers of legs and pelvis were baked into keys": "F-Kurven-Modifikatoren wurden in Keyframes gebacken",
    "No planted action is left over: there is nothing to clean up": (
        "Keine Aktion ist übrig: es gibt nichts aufzuräumen"
    ),
    "Nothing to plant": "Nichts aufzusetzen",
    "No bone carries both legs: the pelvis cannot be lowered; give the legs a common parent": (
        "Kein Knochen trägt beide Beine: das Becken lässt sich nicht senken; gib den Beinen einen gemeinsamen Parent"
    ),
    "Release: leave it there    |    Esc, right button: cancel": (
        "Loslassen: dort lassen    |    Esc, rechte Taste: Abbruch"
    ),
    "Click: leave it there    |    Esc, right button: back    |    G: along the ground    |    Z: height    |    "
    "R: turn    |    K: knee    |    Ctrl: on the ground": (
        "Klick: dort lassen    |    Esc, rechte Taste: zurück    |    G: am Boden entlang    |    Z: Höhe    |    "
        "R: drehen    |    K: Knie    |    Strg: auf dem Boden"
    ),
    "free": "frei",
    "along the ground": "am Boden entlang",
    "height": "Höhe",
    "turn": "drehen",
    "knee": "Knie",
    "Cancelled: something else moved the leg or the frame": "Abgebrochen: etwas anderes hat Bein oder Frame bewegt",
    "Choose the bone of a foot in Pose Mode first": "Wähle zuerst im Posenmodus den Knochen eines Fußes",
    "Choose an edit in the list first": "Wähle zuerst eine Änderung in der Liste",
    "Press Update to plant without it": "„Aktualisieren“ drücken, um ohne sie aufzusetzen",
    "Select keys from the first to the last frame in which to hold the foot, or set a preview range": (
        "Wähle Keyframes vom ersten bis zum letzten Frame aus, in dem der Fuß gehalten wird, oder setze einen "
        "Vorschaubereich"
    ),
    "Go to a whole frame first: edits of a planted action are in whole frames": (
        "Gehe zuerst auf einen ganzen Frame: Änderungen einer korrigierten Aktion sind in ganzen Frames"
    ),
    "Esc cancels": "Esc bricht ab",
    "writing": "schreibt",
    # sentences with values in them; what stands for a value is looked up by itself
    "{} legs": "{} Beine",
    "1 leg": "1 Bein",
    "{} contacts": "{} Kontakte",
    "1 contact": "1 Kontakt",
    "{} actions": "{} Aktionen",
    "1 action": "1 Aktion",
    "{} warnings": "{} Warnungen",
    "1 warning": "1 Warnung",
    "{} bones": "{} Knochen",
    "Frame {}": "Frame {}",
    "left": "links",
    "right": "rechts",
    "on": "ein",
    "off": "aus",
    "first": "erster",
    "last": "letzter",
    "added": "hinzugefügt",
    "removed": "entfernt",
    "no longer pinned": "nicht mehr angeheftet",
    "the 3D cursor": "den 3D-Cursor",
    "there is no action": "es gibt keine Aktion",
    "none is": "keines",
    "{} are": "{}",
    "Original: {}": "Original: {}",
    "Found {}: {}": "{} gefunden: {}",
    "Found {}": "{} gefunden",
    "{} picked by hand stayed as before": "{} von Hand gewählt, wie vorher geblieben",
    "Too unsure to plant, switched off: {}; if they are right, tick them in Legs": (
        "Zu unsicher, ausgeschaltet: {}; wenn sie stimmen, in „Beine“ anhaken"
    ),
    "Added a leg: {}, {}, {}": "Bein hinzugefügt: {}, {}, {}",
    "Removed the leg {}": "Bein {} entfernt",
    "There is no leg {}: {} has {}": "Es gibt kein Bein {}: {} hat {}",
    "Legs saved to {}": "Beine gespeichert in {}",
    "Loaded {} from {}": "{} aus {} geladen",
    "Report written to {}": "Bericht geschrieben: {}",
    "Leg IK is {} already": "Bein-IK ist schon {}",
    "Leg IK off: {} plays again": "Bein-IK aus: {} läuft wieder",
    "{} is an ordinary action now": "{} ist jetzt eine gewöhnliche Aktion",
    "Removed {}": "{} entfernt",
    "took the fake user off {}": "Fake User von {} entfernt",
    "Planted {} of {}": "{} von {} korrigiert",
    "Planted {} of {}; {} left as they are: see Many at Once": (
        "{} von {} korrigiert; {} bleiben, wie sie sind: siehe „Mehrere auf einmal“"
    ),
    "Nothing was planted; {}": "Nichts wurde korrigiert; {}",
    "{}: play it to see them": "{}: abspielen, um sie zu sehen",
    "{}, as found": "{}, wie gefunden",
    "{}, edited by hand": "{}, von Hand geändert",
    "Contacts: {} as in the list, edited by hand": "Kontakte: {} wie in der Liste, von Hand geändert",
    "{} outside the planted frames {}–{}": "{} außerhalb der korrigierten Frames {}–{}",
    "{} {}–{}: {} frame set": "{} {}–{}: {} Frame gesetzt",
    "{} {}–{}: pinned to {}": "{} {}–{}: angeheftet an {}",
    "{} {}–{}: {}": "{} {}–{}: {}",
    "{}: stands in frames {}–{}": "{}: steht in den Frames {}–{}",
    "{}: stands in frames {}–{} (was {}–{})": "{}: steht in den Frames {}–{} (vorher {}–{})",
    "Select one empty beside the armature: {} selected": ("Wähle neben der Armatur ein Empty aus: ausgewählt ist {}"),
    "{} has no legs switched on: find the legs first": ("An {} ist kein Bein eingeschaltet: finde zuerst die Beine"),
    "{} has no legs switched on: find the legs first, or add one in the panel Legs": (
        "An {} ist kein Bein eingeschaltet: finde zuerst die Beine oder füge im Panel „Beine“ eines hinzu"
    ),
    "{} has no legs: find them, or add one first": "{} hat keine Beine: finde sie oder füge zuerst eines hinzu",
    "{} is not a file name: enter a name without slashes": "{} ist kein Dateiname: gib einen ohne Schrägstriche an",
    "{} cannot be read ({}): choose another file": "{} lässt sich nicht lesen ({}): wähle eine andere Datei",
    "No legs found among the {} bones of {}: {}": "Keine Beine unter den {} Knochen von {} gefunden: {}",
    "{}: {}: choose other bones or find the legs again": "{}: {}: wähle andere Knochen oder finde die Beine neu",
    "{} ({} of a leg) is not a bone of {}: find the legs again": "{} ({} eines Beins) fehlt in {}: finde die Beine neu",
    "A leg of {} has no bone for {}: choose one in the panel Legs, or remove the leg": (
        "Einem Bein von {} fehlt ein Knochen für {}: wähle einen im Panel „Beine“ oder entferne das Bein"
    ),
    "No leg has a foot {}: choose one of {}": "Kein Bein hat einen Fuß {}: wähle einen von {}",
    "First is {}, after Last, {}: enter an earlier First": "Erster ist {}, nach Letzter, {}: gib einen früheren an",
    "Leg or pelvis keys of {} were edited by hand. Update makes them again from the original; the edited ones are kept "
    "in the action {} edited": (
        "Bein- oder Becken-Keyframes von {} wurden von Hand geändert. „Aktualisieren“ macht sie neu aus dem Original; "
        "die geänderten bleiben in der Aktion {} edited erhalten"
    ),
    "The edited leg keys are kept in {}": "Die geänderten Bein-Keyframes sind in {} erhalten",
    "{} is planted already": "{} ist schon korrigiert",
    "{} has changed since it was planted: press Update": "{} wurde seitdem geändert: „Aktualisieren“ drücken",
    "{} plays another action than the one that was planted: press Update": (
        "{} spielt eine andere Aktion als die korrigierte: „Aktualisieren“ drücken"
    ),
    "{} plays another slot of {} than the planted one: choose that one first": (
        "{} spielt einen anderen Slot von {} als den korrigierten: wähle zuerst diesen"
    ),
    "The original of {} is gone: press Apply to keep the planted action": (
        "Das Original von {} ist weg: „Anwenden“ drücken, um die korrigierte Aktion zu behalten"
    ),
    "The slot of {} that was planted is gone: press Apply to keep the planted action": (
        "Der korrigierte Slot von {} ist weg: „Anwenden“ drücken, um die korrigierte Aktion zu behalten"
    ),
    "{} animates {}, which are gone: undo, or remove these curves": (
        "{} animiert {}: rückgängig machen oder diese Kurven entfernen"
    ),
    "The feet do not follow their keys ({} is off by {} % of the leg in frame {}): {}": (
        "Die Füße folgen ihren Keyframes nicht ({0} liegt in Frame {2} um {1} % des Beins daneben): {3}"
    ),
    "All frames checked: feet are within {} of where they were planned, worst in frame {}": (
        "Alle Frames geprüft: die Füße liegen höchstens {} neben dem Plan, am weitesten in Frame {}"
    ),
    "{} % of the leg ({} cm)": "{} % des Beins ({} cm)",
    "{} was planted by a newer version of Skelkin: update the add-on first": (
        "{} wurde von einer neueren Version von Skelkin korrigiert: aktualisiere zuerst das Add-on"
    ),
    "{} is linked: make a library override of it first": "{} ist verknüpft: lege zuerst einen Library Override an",
    "{} is an override that is not editable: make it editable first": (
        "{} ist ein nicht bearbeitbarer Override: mache ihn zuerst bearbeitbar"
    ),
    "{} has no action: give it one, or bake what moves it (Pose > Animation > Bake Action)": (
        "{} hat keine Aktion: gib ihr eine, oder backe, was sie bewegt (Pose > Animation > Aktion backen)"
    ),
    "The NLA track {} of {} plays alone, without the action: switch its star (solo) off first": (
        "Die NLA-Spur {} von {} läuft allein, ohne die Aktion: schalte zuerst ihren Stern (Solo) aus"
    ),
    "{} plays no slot of {}: choose a slot first": "{} spielt keinen Slot von {}: wähle zuerst einen Slot",
    "{} or its collection is disabled in viewports, so that Blender does not move it: enable it": (
        "{} oder die Sammlung ist in Viewports deaktiviert, sodass Blender das Objekt nicht bewegt: aktiviere es"
    ),
    "{} has an animated rotation mode: remove its keys": "{} hat Keyframes auf dem Rotationsmodus: entferne sie",
    "This zip is for {}: get the one for {}": "Diese Zip-Datei ist für {}: nimm die für {}",
    "This Skelkin has nothing compiled for {}: install the zip that is named after it": (
        "Dieses Skelkin enthält nichts Kompiliertes für {}: installiere die Zip-Datei, die danach benannt ist"
    ),
    "Skelkin's package skelkin_py is missing: {}": "Das Paket skelkin_py von Skelkin fehlt: {}",
    "Skelkin {} found skelkin_py {}: {}": "Skelkin {} hat skelkin_py {} gefunden: {}",
    "Skelkin {} is still loaded: restart Blender to use {}": "Skelkin {} ist noch geladen: für {} Blender neu starten",
    "Skelkin does not load ({}): {}": "Skelkin lässt sich nicht laden ({}): {}",
    "restart Blender, then install the add-on again": "starte Blender neu und installiere das Add-on noch einmal",
    "Leg IK: {} %, {} ({})": "Bein-IK: {} %, {} ({})",
    "{} dragged and keyed in frame {}": "{} gezogen, mit Keyframes in Frame {}",
    "{} held and keyed in frames {}": "{} festgehalten, mit Keyframes in den Frames {}",
    "{}; planted with {}": "{}; aufgesetzt mit {}",
    "{}: dragged in frame {}": "{}: in Frame {} gezogen",
    "{}: held in frames {}": "{}: in den Frames {} festgehalten",
    "{} {}: edit removed": "{} {}: Änderung entfernt",
    "1 edit": "1 Änderung",
    "{} edits": "{} Änderungen",
    "{} is linked, and takes no keys: make it local first": (
        "{} ist verknüpft und nimmt keine Keyframes an: mache die Aktion zuerst lokal"
    ),
    "{} takes no keys: {}": "{} nimmt keine Keyframes an: {}",
    "{} is scaled to nothing: give it a scale other than 0": (
        "{} ist auf nichts skaliert: gib eine Skalierung ungleich 0"
    ),
    "The leg cannot be dragged: {}": "Das Bein lässt sich nicht ziehen: {}",
    "{} has no two bones above it: choose the bone of a foot": (
        "Über {} liegen keine zwei Knochen: wähle den eines Fußes"
    ),
    "{} is moved by the constraint {} of {}: mute it or set its influence to 0": (
        "{} wird vom Constraint {} von {} bewegt: stelle es stumm oder setze seinen Einfluss auf 0"
    ),
    "{} has a driver on {}: remove or mute it": "{} hat einen Treiber auf {}: entferne ihn oder stelle ihn stumm",
    "{} is moved by other bones": "{} wird von anderen Knochen bewegt",
    "reading frame {}": "Frame {} wird gelesen",
    "From the add-on's preferences, for all armatures": "Aus den Voreinstellungen des Add-ons, für alle Armaturen",
    "Export": "Export",
    "glTF: the original is left out by itself": "glTF: das Original wird von selbst weggelassen",
    "FBX: under Bake Animation, clear NLA Strips and All Actions": "FBX: „NLA-Streifen“ und „Alle Aktionen“ abwählen",
    "{} % sure": "zu {} % sicher",
}
