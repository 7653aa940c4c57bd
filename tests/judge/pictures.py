def draw(*a):
    pass
