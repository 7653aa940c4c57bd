# SPDX-License-Identifier: GPL-3.0-or-later
"""What the add-on remembers, and where.

Objects carry typed properties and collections that library overrides keep; nested groups are on the planted action,
which is always local. Bones are remembered by name, actions by pointer.
"""

import bpy
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    FloatProperty,
    FloatVectorProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)

#: what a planted action remembers is written so: raised when an older add-on could not read it
FORMAT = 1
#: custom property of a planted action that points to its original
SOURCE = "skelkin_source"
OVERRIDE = {"LIBRARY_OVERRIDABLE"}
OVERRIDE_LIST = {"LIBRARY_OVERRIDABLE", "USE_INSERTION"}


class SKELKIN_leg(bpy.types.PropertyGroup):
    """One leg of the armature: bones by name, empty where the leg has none."""

    enabled: BoolProperty(name="Use", description="Plant this leg", default=True, options=set(), override=OVERRIDE)
    side: StringProperty(override=OVERRIDE)
    hip: StringProperty(name="Thigh", description="Bone that turns at the hip", override=OVERRIDE)
    knee: StringProperty(name="Shin", description="Bone that turns at the knee", override=OVERRIDE)
    ankle: StringProperty(name="Foot", description="Bone that turns at the ankle", override=OVERRIDE)
    toe: StringProperty(name="Toe", description="Bone that turns at the ball of the foot", override=OVERRIDE)
    heel: StringProperty(name="Heel", description="Bone at the heel, if there is one", override=OVERRIDE)
    pelvis: StringProperty(name="Pelvis", description="Bone above both legs", override=OVERRIDE)
    found: StringProperty(override=OVERRIDE)  # the bones as they were found, empty where it was picked by hand
    shows_reasons: BoolProperty(
        name="Reasons", description="Show how each bone was found", default=False, options=set(), override=OVERRIDE
    )
    confidence: FloatProperty(name="Confidence", min=0.0, max=1.0, override=OVERRIDE)
    reasons: StringProperty(override=OVERRIDE)


class SKELKIN_held_action(bpy.types.PropertyGroup):
    """A planted action of another original that the object played before."""

    action: PointerProperty(type=bpy.types.Action, override=OVERRIDE)


class SKELKIN_kept_value(bpy.types.PropertyGroup):
    """The value of one property before the switch went on; text, so that no digit is lost."""

    data_path: StringProperty()
    index: IntProperty()
    value: StringProperty()


class SKELKIN_planted_channel(bpy.types.PropertyGroup):
    """A channel that the planted action owns."""

    bone: StringProperty()
    channel: StringProperty()
    size: IntProperty()
    written: StringProperty()  # its values in all planted frames, packed


class SKELKIN_warning(bpy.types.PropertyGroup):
    """A sentence of the report, and the frame of the scene that it is about."""

    text: StringProperty()
    minded: BoolProperty()  # whether a viewer would mind it
    names_frame: BoolProperty()
    frame: IntProperty()


def _edited_contact(item, context) -> None:
    """Note that the list of contacts was edited; an item without a key is just being made."""
    if item.key:
        item.id_data.skelkin.contacts_edited = True


def _followed_contact(item, context) -> None:
    """Let a contact that follows an object be pinned."""
    if item.key and item.follows is not None and not item.use_place:
        item.use_place = True
    _edited_contact(item, context)


def _moved_contact(item, context) -> None:
    """Let the markers of a contact go with it."""
    for marker in item.id_data.pose_markers if item.key else ():
        if marker.skelkin_contact == item.key:
            marker.frame = item.last if marker.skelkin_is_up else item.first
    _edited_contact(item, context)


class SKELKIN_contact(bpy.types.PropertyGroup):
    """A span in which a foot stands, in frames of the scene; a marker at each end of it has its key."""

    key: IntProperty()
    foot: StringProperty(name="Foot", description="The foot that stands")
    first: IntProperty(name="First", description="First frame in which the foot stands", update=_moved_contact)
    last: IntProperty(name="Last", description="Last frame in which the foot stands", update=_moved_contact)
    part: EnumProperty(
        name="Part",
        description="Which part of the foot stands",
        items=(
            ("FOOT", "Foot", "The whole foot, rolling from heel to ball as it does"),
            ("HEEL", "Heel", "Only the heel; the toes are up"),
            ("BALL", "Ball", "Only the ball; the heel is up"),
            ("FLAT", "Flat", "Heel and ball all the time"),
        ),
        default="FOOT",
        update=_edited_contact,
    )
    use: BoolProperty(name="Use", description="Hold the foot here", default=True, update=_edited_contact)
    use_height: BoolProperty(
        name="Own Height",
        description="Stand at a height of its own, not on the ground",
        update=_edited_contact,
    )
    height: FloatProperty(
        name="Height", description="Height of the sole along world Z", subtype="DISTANCE", update=_edited_contact
    )
    use_place: BoolProperty(
        name="Pinned", description="Pin the ball of the foot above a position", update=_edited_contact
    )
    place: FloatVectorProperty(
        name="Place",
        description="World position under the ball of the foot; Z is ignored",
        size=3,
        subtype="XYZ",
        unit="LENGTH",
        update=_edited_contact,
    )
    follows: PointerProperty(
        name="Follows",
        type=bpy.types.Object,
        description="Object under the ball of the foot in the contact's first frame",
        update=_followed_contact,
    )
    follows_height: BoolProperty()
    by_hand: BoolProperty()
    heel: StringProperty()  # where its heel stood when it was planted: first and last frames
    ball: StringProperty()


def _edited_foot(item, context) -> None:
    """Note that an edit of a foot was changed."""
    item.id_data.skelkin.contacts_edited = True


class SKELKIN_foot_edit(bpy.types.PropertyGroup):
    """Frames of the scene in which a foot was brought somewhere by hand, in world space; each Update does it again."""

    foot: StringProperty()
    frame: IntProperty()
    last: IntProperty()
    place: FloatVectorProperty(size=3)
    rotation: FloatVectorProperty(size=4)
    base: StringProperty()  # the touch-ups of the foot in these frames when it was made, packed
    use_pole: BoolProperty()
    pole: FloatVectorProperty(size=3)
    fade_in: IntProperty(
        name="Fade In", description="Frames over which the edit fades in", min=1, soft_max=50, update=_edited_foot
    )
    fade_out: IntProperty(
        name="Fade Out", description="Frames over which the edit fades out", min=1, soft_max=50, update=_edited_foot
    )


class SKELKIN_result(bpy.types.PropertyGroup):
    """What came of one action of many that were planted at once."""

    armature: StringProperty()
    action: StringProperty()
    line: StringProperty()
    planted: BoolProperty()
    warnings: IntProperty()


class SKELKIN_action(bpy.types.PropertyGroup):
    """The mark of a planted action, and on an original what the add-on changed about it."""

    is_planted: BoolProperty()
    format: IntProperty()
    source_slot: StringProperty()
    over_strips: BoolProperty()  # the original is what strips of the NLA play, without an action
    source_digest: StringProperty()
    pair: StringProperty()  # names an armature's planted action for those of the objects that go with it
    goes_with: StringProperty()  # of an object's planted action: the pair that it is for
    planting: StringProperty()  # names what was planted last, by which its foot paths are known
    slot: StringProperty()
    keys_digest: StringProperty()
    settings: StringProperty()
    channels: CollectionProperty(type=SKELKIN_planted_channel)
    kept: CollectionProperty(type=SKELKIN_kept_value)
    summary: StringProperty()
    lines: StringProperty()
    figures: StringProperty()
    ground_speed: FloatProperty(
        name="Ground Speed",
        description="Speed of the root at which these feet do not slide",
        unit="VELOCITY",
    )
    legs: StringProperty()
    methods: StringProperty()  # by foot, in words, which keys each leg is planted with
    warnings: CollectionProperty(type=SKELKIN_warning)
    contacts: CollectionProperty(type=SKELKIN_contact)
    contact: IntProperty(name="Contact", options=set())
    contacts_found: StringProperty()  # as text: what differs was edited
    contacts_given: BoolProperty()  # whether it was planted with contacts edited by hand
    contacts_edited: BoolProperty()  # whether contacts or edits of feet were changed since it was planted
    first_frame: IntProperty()  # of those that were planted
    touch_ups: StringProperty()  # changes by hand, as `contacts.touch_ups` keeps them
    touched: StringProperty()  # which feet in which frames these are
    foot_edits: CollectionProperty(type=SKELKIN_foot_edit)
    foot_edit: IntProperty(name="Dragged Foot", options=set())
    source_changed: BoolProperty()
    was_fake_user: BoolProperty()
    holds_fake_user: BoolProperty()
    is_replaced: BoolProperty()  # by a planted action that was applied: glTF files have that one

    @property
    def source(self):
        """The original, None where there is none or it was removed.

        A custom property: in 5.0 a registered one of an action goes on pointing to what was removed, and ends Blender.
        """
        return self.id_data.get(SOURCE)

    @source.setter
    def source(self, action) -> None:
        if action is not None:
            self.id_data[SOURCE] = action
        elif SOURCE in self.id_data:
            del self.id_data[SOURCE]


class PlantSettings:
    """The settings of planting, shared by the operators whose redo panel shows them."""

    ground: EnumProperty(
        name="Ground",
        description="What the feet stand on",
        items=(
            ("AUTO", "Estimated", "A horizontal plane at the height of the standing feet"),
            ("HEIGHT", "Height", "A horizontal plane at a height that you enter"),
            ("OBJECTS", "Objects", "Meshes of the scene: an object, a collection, or both"),
        ),
        default="AUTO",
    )
    ground_height: FloatProperty(name="Height", description="World Z of the ground", default=0.0, subtype="DISTANCE")
    ground_object: StringProperty(name="Object", description="Object with the mesh that feet stand on")
    ground_collection: StringProperty(name="Collection", description="Collection with the meshes that feet stand on")
    ground_motion: EnumProperty(
        name="Ground Motion",
        description="How the ground moves under a cycle in place",
        items=(
            ("OFF", "Off", "Still; a cycle in place gets only its heights corrected"),
            ("AUTO", "From Feet", "With the standing feet of a cycle in place"),
            ("GIVEN", "Velocity", "At a velocity that you enter, and standing feet with it"),
        ),
        default="OFF",
    )
    ground_velocity: FloatVectorProperty(
        name="Velocity",
        description="World velocity of the ground per second; Z must be 0",
        size=3,
        subtype="VELOCITY",
    )
    travel: EnumProperty(
        name="Travel",
        description="How the root bone travels",
        items=(
            ("KEEP", "Keep", "Leave it as it is"),
            ("IN_PLACE", "In Place", "Remove its mean horizontal travel"),
            ("TRAVELLING", "Travelling", "Let a cycle in place travel as fast as its feet go back"),
        ),
        default="KEEP",
    )
    contacts: EnumProperty(
        name="Contacts",
        description="When a foot is held",
        items=(
            ("AUTO", "Automatic", "Where the foot is low and slow"),
            ("ALWAYS", "Always", "On every frame"),
            ("NEVER", "Never", "No foot is held, and nothing changes"),
            ("GROUND_ONLY", "Ground Only", "Only heights are corrected; feet may slide"),
            ("CYCLE", "Cycle", "Where it is lowest and slowest: for feet that never rest"),
        ),
        default="AUTO",
    )
    reach: EnumProperty(
        name="Reach",
        description="What happens where a leg is too short",
        items=(
            ("SOFTEN", "Soft IK", "Lower the pelvis, and slow legs down before they are straight"),
            ("LOWER_PELVIS", "Lower Pelvis", "Lower the pelvis less: swinging legs may become nearly straight"),
        ),
        default="SOFTEN",
    )
    frames: EnumProperty(
        name="Range",
        description="Which frames are planted",
        items=(
            ("ACTION", "Action", "All frames of the action"),
            ("SCENE", "Scene", "Frames of the scene, or its preview range"),
            ("KEYS", "Selected Keys", "From the first to the last selected key of leg bones"),
        ),
        default="ACTION",
    )
    rate: EnumProperty(
        name="Rate",
        description="Frame rate of the motion; keys stay on their frames",
        items=(
            ("SCENE", "Scene", "The frame rate of the scene"),
            ("NUMBER", "Number", "A frame rate that you enter"),
            ("BVH", "From BVH File", "The frame rate of the BVH file of the motion"),
        ),
        default="SCENE",
    )
    rate_fps: FloatProperty(
        name="Frame Rate",
        description="Frames of the motion per second",
        default=30.0,
        min=1e-3,
        soft_min=1.0,
        soft_max=240.0,
    )
    rate_file: StringProperty(
        name="BVH File", description="File with the frame rate of the motion", subtype="FILE_PATH"
    )
    read: EnumProperty(
        name="Read",
        description="How the motion is read",
        items=(
            ("AUTO", "Automatic", "From F-curves, or frame by frame if they are not enough"),
            ("CURVES", "Curves", "From F-curves, even if other add-ons may move the bones"),
            ("STEP", "Step", "Frame by frame as in playback: slower, and misses nothing"),
        ),
        default="AUTO",
    )

    keys: EnumProperty(
        name="Keys",
        description="How many keys planted bones and controls get",
        items=(
            ("AUTO", "Automatic", "Sparse where all feet follow controls, else a key on every frame", 2),
            ("EVERY", "Every Frame", "A key on every frame: exact", 0),
            ("SPARSE", "Sparse", "Few keys with smooth curves, to edit by hand", 1),
        ),
        default="AUTO",
    )
    tolerance: FloatProperty(
        name="Tolerance",
        description="How far keys may be off, in millimetres per metre of leg",
        default=5.0,
        min=0.1,
        soft_max=20.0,
        max=100.0,
        precision=1,
    )


#: names of the settings on an object begin with it
OBJECT_PREFIX = "skelkin_"

SETTING_NAMES = tuple(PlantSettings.__annotations__)

CLASSES = (
    SKELKIN_leg,
    SKELKIN_held_action,
    SKELKIN_kept_value,
    SKELKIN_planted_channel,
    SKELKIN_warning,
    SKELKIN_contact,
    SKELKIN_foot_edit,
    SKELKIN_result,
    SKELKIN_action,
)


def _object_settings() -> dict:
    """Return the settings of planting as properties of an object, which are not animated."""
    kept = {"options": set(), "override": OVERRIDE}
    props = {
        OBJECT_PREFIX + name: prop.function(**{**prop.keywords, **kept, "update": _changed_setting})
        for name, prop in PlantSettings.__annotations__.items()
    }
    own = BoolProperty(
        name="Own Settings",
        description="Use settings of this armature, not the preferences",
        update=_switched_own_settings,
        **kept,
    )
    return {**props, "skelkin_own_settings": own}


def _changed_setting(ob, context) -> None:
    """Make the settings the object's own as soon as one of them is changed."""
    if not ob.skelkin_own_settings:
        ob.skelkin_own_settings = True


def _switched_own_settings(ob, context) -> None:
    """Let an object's own settings begin with those of the preferences, and forget them when switched off."""
    addon = context.preferences.addons.get(__package__)
    for name in SETTING_NAMES:
        if not ob.skelkin_own_settings:
            ob.property_unset(OBJECT_PREFIX + name)
        elif addon is not None and not ob.is_property_set(OBJECT_PREFIX + name):
            setattr(ob, OBJECT_PREFIX + name, getattr(addon.preferences, name))


def _attach() -> dict:
    """Type → properties to add; built at registration, since the groups have to be known by then."""
    return {
        bpy.types.WindowManager: {
            "skelkin_results": CollectionProperty(type=SKELKIN_result),
            "skelkin_result": IntProperty(name="Result"),
            "skelkin_no_legs": StringProperty(),  # why none were found, and of what: `leg_data.about`
            "skelkin_no_legs_of": StringProperty(),
        },
        bpy.types.Action: {"skelkin": PointerProperty(type=SKELKIN_action)},
        bpy.types.TimelineMarker: {"skelkin_contact": IntProperty(), "skelkin_is_up": BoolProperty()},
        bpy.types.Object: {
            "skelkin_kept_pose": StringProperty(options={"HIDDEN"}, override=OVERRIDE),
            "skelkin_source": PointerProperty(type=bpy.types.Action, options={"HIDDEN"}, override=OVERRIDE),
            "skelkin_planted": PointerProperty(type=bpy.types.Action, options={"HIDDEN"}, override=OVERRIDE),
            "skelkin_held": CollectionProperty(type=SKELKIN_held_action, override=OVERRIDE_LIST),
            **_object_settings(),
            "skelkin_legs": CollectionProperty(type=SKELKIN_leg, override=OVERRIDE_LIST),
        },
    }


def register() -> None:
    for cls in CLASSES:
        bpy.utils.register_class(cls)
    for owner, props in _attach().items():
        for name, prop in props.items():
            setattr(owner, name, prop)


def unregister() -> None:
    for owner, props in _attach().items():
        for name in props:
            if hasattr(owner, name):
                delattr(owner, name)
    for cls in reversed(CLASSES):
        bpy.utils.unregister_class(cls)
